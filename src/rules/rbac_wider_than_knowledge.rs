//! `rbac-wider-than-knowledge`: see `rules/docs/rbac-wider-than-knowledge.md`.
//!
//! A right is compared with what its holder can know: where it works, by its arguments, its environment and its code, and
//! whose records decide.
//!
//! ```text
//! ClusterRoleBinding lab-janitor -> delete deployments, everywhere
//! args: [--namespace=labs]                                            works in one
//! session.get(Lab, name) is None -> delete_namespaced_deployment      knows the labs of one environment
//! ```

mod markers;

use super::*;
use crate::manifest::rbac::{Grant, wide_grants};
use crate::manifest::workload::Workload;
use crate::shell::CommandLine;
use crate::vocab::{permissions, selectors, tools};

/// The rule.
pub static RULE: Rule = Rule {
    name: "rbac-wider-than-knowledge",
    summary: "a cleaner may delete in more namespaces than it knows of",
    here: "allowed here",
    doc: include_str!("../../rules/docs/rbac-wider-than-knowledge.md"),
    severity: Severity::Warning,
    pedantic: false,
    reads: Reads::Manifest,
    mend: None,
    check: Check::None,
    manifests: Some(check),
};

fn check(deployed: &Deployed) -> Vec<Finding> {
    let workloads: Vec<Workload> = deployed.manifests.objects().filter_map(Workload::running).collect();
    let mut out: Vec<Finding> = vec![];
    for grant in wide_grants(deployed.manifests) {
        if let Some(found) = judge(deployed, &workloads, &grant)
            && !out.iter().any(|f| f.at == found.at)
        {
            out.push(found);
        }
    }
    out.extend(markers::check(deployed));
    out
}

/// Why something is taken for a cleaner, and why it knows less than it may.
struct Case {
    confidence: Confidence,
    knows: Step,
    why: String,
}

fn judge(deployed: &Deployed, workloads: &[Workload], grant: &Grant) -> Option<Finding> {
    let runs = |w: &&Workload| {
        let account = w.account().unwrap_or("default");
        let apart = w.object.namespace().zip(grant.namespace).is_some_and(|(a, b)| a != b);
        account == grant.account && !apart && w.object.doc.chart == grant.binding.doc.chart
    };
    let holders: Vec<&Workload> = workloads.iter().filter(|w| w.whole).filter(runs).collect();
    // What another program with the same account needs it for is not known.
    let told: Vec<Case> = holders.iter().map_while(|w| works_in_few(deployed, w, grant)).collect();
    let told = if told.len() == holders.len() { told.into_iter().next() } else { None };
    let case = told.or_else(|| records(deployed, &holders, grant))?;
    let doc = grant.role.doc;
    let at = doc.place(grant.at);
    let what = match grant.resources.as_slice() {
        ["*", ..] => "anything".to_owned(),
        several => several.join(", "),
    };
    let mut steps = vec![Step {
        span: grant.binding.doc.place(grant.binding.doc.tree.pair(grant.binding.root, "kind")?.0),
        part: Part::Manifest,
        text: format!("bound here for every namespace, to `{}`", grant.account),
    }];
    steps.push(case.knows);
    steps.retain(|s| s.span != at);
    Some(Finding {
        rule: &RULE,
        severity: RULE.severity,
        confidence: case.confidence,
        message: format!("`{}` may delete {what} in every namespace, and {}", grant.account, case.why),
        help: instead(grant),
        at,
        statement: at,
        steps,
        group: at,
        function: format!("{} {}", grant.role.kind().unwrap_or_default(), grant.role.name().unwrap_or_default()),
        fixes: vec![],
        excused: None,
    })
}

/// The role and the binding to write instead, in a form that can be copied.
fn instead(grant: &Grant) -> String {
    let (name, account) = (grant.role_name, grant.account);
    let home = grant.namespace.map(|n| format!(", namespace: {n}")).unwrap_or_default();
    let group = "rbac.authorization.k8s.io";
    format!(
        "in each namespace it works in, instead of ClusterRole and ClusterRoleBinding: \
         `{{apiVersion: {group}/v1, kind: Role, metadata: {{name: {name}, namespace: NAMESPACE}}, rules: [..]}}` with these rules, and \
         `{{apiVersion: {group}/v1, kind: RoleBinding, metadata: {{name: {name}, namespace: NAMESPACE}}, \
         roleRef: {{apiGroup: {group}, kind: Role, name: {name}}}, subjects: [{{kind: ServiceAccount, name: {account}{home}}}]}}`"
    )
}

/// A cleaner that is told the namespaces it works in.
fn works_in_few(deployed: &Deployed, w: &Workload, grant: &Grant) -> Option<Case> {
    let doc = w.object.doc;
    let code = deployed.cleanups.iter().filter(|c| grant.covers(&c.plural) && w.runs(deployed.sources, c.at.file));
    let code: Vec<&Cleanup> = code.collect();
    let commands = deleted(deployed, w).into_iter().find(|plural| grant.covers(plural));
    let names = [Some(grant.account), Some(grant.role_name), w.object.name(), w.images().first().copied()];
    let named = names.iter().flatten().any(|n| permissions().is_cleaner(n));
    if code.is_empty() && commands.is_none() && !named {
        return None;
    }
    let confidence = if code.is_empty() && commands.is_none() { Confidence::Medium } else { Confidence::High };
    // Of a program that does more than clean up, the variable must be what its deletes are limited by.
    let by_code = |name: &str| code.iter().any(|c| c.variables.iter().any(|v| v == name));
    // Who goes through all namespaces is told of none.
    if w.words().iter().any(|(text, _)| text.split_whitespace().any(|x| x == "-A" || x == "--all-namespaces")) {
        return None;
    }
    let told = w.words().into_iter().find_map(|(text, node)| namespace_flag(&text).then_some(node));
    let variable = w.variables().into_iter().find_map(|(name, node)| {
        let limits = by_code(name) || (named || commands.is_some()) && permissions().is_namespace_variable(name);
        limits.then_some(node)
    });
    let at = told.or(variable)?;
    Some(Case {
        confidence,
        knows: Step {
            span: doc.place(at),
            part: Part::Reference,
            text: "told here which namespaces it works in".to_owned(),
        },
        why: "works in the namespaces that it is told".to_owned(),
    })
}

/// Cleanup code whose records are those of one environment.
fn records(deployed: &Deployed, holders: &[&Workload], grant: &Grant) -> Option<Case> {
    let named = [grant.account, grant.role_name].iter().any(|n| permissions().is_cleaner(n));
    let runs = |c: &&Cleanup| holders.iter().any(|w| w.runs(deployed.sources, c.at.file));
    let all = deployed.cleanups.iter().filter(|c| c.unscoped && grant.covers(&c.plural));
    let case = all.clone().find(runs).map(|c| (c, Confidence::High));
    let (found, confidence) = case.or_else(|| all.clone().next().filter(|_| named).map(|c| (c, Confidence::Medium)))?;
    Some(Case {
        confidence,
        knows: Step {
            span: found.at,
            part: Part::Delete,
            text: "decided here by records of one environment".to_owned(),
        },
        why: "what decides there is known of one environment alone".to_owned(),
    })
}

/// The kinds in namespaces that the commands of a workload delete, as permissions spell them.
fn deleted(deployed: &Deployed, w: &Workload) -> Vec<String> {
    let own = w.object.place();
    let client = |c: &&CommandLine| own.contains(c.at) && tools().commands.clients.iter().any(|n| n == c.name());
    let kinds = |c: &CommandLine| -> Vec<String> {
        let mut rest = c.words.iter().skip_while(|w| w.text != "delete").skip(1).filter(|w| !w.text.starts_with('-'));
        let named = rest.next().map_or("", |w| w.text.as_str());
        let kind = |k: &str| selectors().spelled(k.split(['/', '.']).next().unwrap_or_default()).map(|k| k.plural());
        named.split(',').filter_map(kind).filter(|k| !permissions().is_cluster_scoped(k)).collect()
    };
    deployed.commands.iter().filter(client).flat_map(kinds).collect()
}

/// Does an argument, or a command line, say which namespaces to work in? What a variable holds is not said.
fn namespace_flag(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.iter().enumerate().any(|(n, word)| {
        let flag = word.trim_start_matches('-');
        let (flag, value) = flag.split_once('=').map_or((flag, words.get(n + 1).copied()), |(f, v)| (f, Some(v)));
        let said = value.is_none_or(|v| !v.is_empty() && !v.trim_start_matches('"').starts_with('$'));
        word.starts_with('-') && permissions().is_namespace_flag(flag) && said
    })
}
