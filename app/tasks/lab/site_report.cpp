#include "app/tasks/lab/site_report.h"

#include "app/tasks/lab/lower_run.h"
#include "backends/lowering/node_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace et::tasks {

using backends::xnnpack::QuantizationScheme;
using backends::xnnpack::QuantizationSite;
using backends::xnnpack::SchemeKind;
using backends::xnnpack::SiteChoice;
using core::ErrorCode;
using core::fail;
using core::Result;

namespace {

std::string moduleOf(const etrecord::Node& node) {
    return node.moduleStack.empty() ? std::string() : node.moduleStack.back().fqn;
}

std::vector<QuantizationScheme> schemesOf(backends::xnnpack::PreparedModel& model,
                                          const QuantizationSite& site) {
    std::vector<QuantizationScheme> schemes;
    for (const SchemeKind kind : {SchemeKind::Static8, SchemeKind::Dynamic8, SchemeKind::Weights8,
                                  SchemeKind::Dynamic4, SchemeKind::Half}) {
        const QuantizationScheme scheme{.kind = kind};
        if (site.rule.empty() &&
            backends::xnnpack::schemeRule(model.method(), model.operators(), site, scheme).empty()) {
            schemes.push_back(scheme);
        }
    }
    return schemes;
}

/// Requested schemes of sites, by names and by a search.
class SiteRequests {
  public:
    SiteRequests(backends::xnnpack::PreparedModel& of, const SchemeRequest& what)
        : model(of), wish(what), kept(what.keep) {
        for (const NamedScheme& each : what.named) {
            lists.push_back({each.name});
        }
        for (const auto& each : lists) {
            names.emplace_back(each);
        }
    }

    /// Sets scheme and rule of a site by its index.
    void apply(std::size_t position, const backends::xnnpack::ExportedOperator& op, SiteReport& report) {
        SiteScheme scheme = wish.scheme;
        std::string_view rule = floatByName;
        for (std::size_t i = 0; i < names.size(); ++i) {
            const bool matches = isNamed(names[i], op);
            scheme = matches ? wish.named[i].scheme : scheme;
            report.isChosenByName = report.isChosenByName || matches;
        }
        if (position < wish.chosen.size()) {
            scheme = wish.chosen[position];
            rule = keptBySearch;
        }
        if (isNamed(kept, op)) {
            scheme.reset();
            rule = keptByName;
        }
        report.scheme = scheme.value_or(wish.scheme);
        if (report.rule.empty() && !scheme) {
            report.rule = rule;
        }
    }

    [[nodiscard]] Result<> requireAll() const {
        ET_TRY(kept.requireAll());
        for (const auto& each : names) {
            ET_TRY(each.requireAll());
        }
        return {};
    }

  private:
    /// Checks every node, without stopping early, so that every matching name is marked as used.
    bool isNamed(backends::lowering::NodeNames& by, const backends::xnnpack::ExportedOperator& op) {
        bool named = by.has(op.name);
        for (const auto each : op.nodes) {
            named = by.has(model.method().node(each)) || named;
        }
        return named;
    }

    backends::xnnpack::PreparedModel& model;
    const SchemeRequest& wish;
    backends::lowering::NodeNames kept;
    std::vector<std::vector<std::string>> lists;  ///< borrowed by `names`
    std::vector<backends::lowering::NodeNames> names;
};

}  // namespace

std::string SiteReport::rangeWarning() const {
    return fmt::format("{} ({}){}{}: {}", core::printable(name), core::printable(kind),
                       line.empty() ? "" : ", ", core::printable(line), rangeRule);
}

bool SiteReport::isLeftInFloat() const {
    return rule == keptByName || rule == keptBySearch || rule == floatByName || rule == outsideByName;
}

Result<std::vector<SiteReport>> siteReports(backends::xnnpack::PreparedModel& model,
                                            const SchemeRequest& wish) {
    SiteRequests wishes(model, wish);
    std::vector<SiteReport> reports;
    for (const QuantizationSite& site : model.sites()) {
        const auto& op = model.operators()[site.op];
        const etrecord::Node& node = model.method().node(op.nodes.front());
        SiteReport report{.name = op.name,
                          .kind = std::string(backends::xnnpack::siteKindName(site.kind)),
                          .module = moduleOf(node),
                          .line = pythonLine(node),
                          .nodes = model.nodesOf(site),
                          .rule = site.rule,
                          .takes = schemesOf(model, site)};
        if (site.hasWeight()) {
            ET_ASSIGN(const auto weight, model.method().tensor(site.weight));
            report.weightBytes = weight.view.bytes();
        }
        wishes.apply(reports.size(), op, report);
        if (report.rule.empty()) {
            report.rule =
                backends::xnnpack::schemeRule(model.method(), model.operators(), site, report.scheme);
        }
        reports.push_back(std::move(report));
    }
    ET_TRY(wishes.requireAll());
    return reports;
}

std::vector<SiteChoice> choicesOf(const std::vector<SiteReport>& sites) {
    std::vector<SiteChoice> choices;
    for (const SiteReport& site : sites) {
        const bool quantized = site.rule.empty();
        choices.push_back({.weight = quantized, .activations = quantized, .scheme = site.scheme});
    }
    return choices;
}

Result<std::string> chosenMethod(const etrecord::Record& record, std::string_view asked) {
    const auto& methods = record.methods();
    const bool only = asked.empty() && methods.size() == 1;
    const std::string_view wanted = only ? methods.front() : asked.empty() ? "forward" : asked;
    if (!std::ranges::contains(methods, wanted)) {
        return fail(ErrorCode::NotFound,
                    fmt::format("the record has no Edge graph of a method \"{}\"; available: {}",
                                core::printable(wanted),
                                core::printable(fmt::format("{}", fmt::join(methods, ", ")))));
    }
    return std::string(wanted);
}

std::vector<SiteReport> staticSites(std::vector<SiteReport> sites) {
    for (SiteReport& site : sites) {
        site.rule = site.rule.empty() ? site.staticRule : site.rule;
    }
    return sites;
}

std::vector<std::string> staticWarnings(const std::vector<SiteReport>& sites) {
    std::vector<std::string> all;
    for (const SiteReport& site : sites) {
        if (!site.staticRule.empty()) {
            all.push_back(site.rangeWarning() + "; it stays in float");
        }
    }
    return all;
}

}  // namespace et::tasks
