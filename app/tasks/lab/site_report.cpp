#include "app/tasks/lab/site_report.h"

#include "app/tasks/lab/lower_run.h"
#include "backends/lowering/node_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace et::app {

using backends::xnnpack::QuantizationSite;
using backends::xnnpack::SiteChoice;
using core::ErrorCode;
using core::fail;
using core::Result;

namespace {

std::string moduleOf(const etrecord::Node& node) {
    return node.moduleStack.empty() ? std::string() : node.moduleStack.back().fqn;
}

}  // namespace

Result<std::vector<SiteReport>> siteReports(backends::xnnpack::PreparedModel& model,
                                            const std::vector<std::string>& keep,
                                            const backends::xnnpack::QuantizationScheme& scheme) {
    backends::lowering::NodeNames names(keep);
    std::vector<SiteReport> reports;
    for (const QuantizationSite& site : model.sites()) {
        const auto& op = model.operators()[site.op];
        const etrecord::Node& node = model.method().node(op.nodes.front());
        SiteReport report{.name = op.name,
                          .kind = std::string(backends::xnnpack::siteKindName(site.kind)),
                          .module = moduleOf(node),
                          .line = pythonLine(node),
                          .nodes = model.nodesOf(site),
                          .rule = site.rule};
        if (site.hasWeight()) {
            ET_ASSIGN(const auto weight, model.method().tensor(site.weight));
            report.weightBytes = weight.view.bytes();
        }
        bool named = names.has(op.name);
        for (const auto each : op.nodes) {
            named = names.has(model.method().node(each)) || named;
        }
        if (named && report.rule.empty()) {
            report.rule = keptByName;
        }
        if (report.rule.empty()) {
            report.rule = backends::xnnpack::schemeRule(model.method(), site, scheme);
        }
        reports.push_back(std::move(report));
    }
    ET_TRY(names.wantAll());
    return reports;
}

std::vector<SiteChoice> choicesOf(const std::vector<SiteReport>& sites) {
    std::vector<SiteChoice> choices;
    for (const SiteReport& site : sites) {
        const bool quantized = site.rule.empty();
        choices.push_back({.weight = quantized, .activations = quantized});
    }
    return choices;
}

Result<std::string> chosenMethod(const etrecord::Record& record, std::string_view asked) {
    const auto& methods = record.methods();
    const bool only = asked.empty() && methods.size() == 1;
    const std::string_view wanted = only ? methods.front() : asked.empty() ? "forward" : asked;
    if (!std::ranges::contains(methods, wanted)) {
        return fail(
            ErrorCode::NotFound,
            fmt::format("the record has no Edge graph of a method \"{}\"; it has {}", core::printable(wanted),
                        core::printable(fmt::format("{}", fmt::join(methods, ", ")))));
    }
    return std::string(wanted);
}

}  // namespace et::app
