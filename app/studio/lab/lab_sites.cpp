#include "app/studio/lab/lab_sites.h"

#include "app/tasks/lab/site_report.h"
#include "backends/builtin.h"
#include "visualizers/toolkit/text.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

namespace et::studio {

using core::DebugHandle;
using visualizers::LabScheme;
using visualizers::LabSite;
using visualizers::LabStudy;

namespace {

using HandleLists = std::vector<std::vector<DebugHandle>>;

std::size_t commonHandles(std::span<const DebugHandle> one, std::span<const DebugHandle> other) {
    std::vector<DebugHandle> both;
    std::ranges::set_intersection(one, other, std::back_inserter(both));
    return both.size();
}

LabSite makeLabSite(const tasks::SiteReport& report) {
    using visualizers::toQString;
    LabSite site{.name = toQString(report.name),
                 .op = toQString(report.kind),
                 .module = toQString(report.module),
                 .line = toQString(report.line),
                 .nodes = report.nodes,
                 .rule = toQString(report.rule),
                 .weightBytes = static_cast<double>(report.weightBytes)};
    for (const LabScheme scheme : visualizers::labSchemes) {
        const bool takes = std::ranges::any_of(report.takes, [scheme](const auto& each) {
            return visualizers::parseLabScheme(toQString(backends::xnnpack::schemeName(each))) == scheme;
        });
        if (takes || scheme == LabScheme::Float) {
            site.schemes.push_back(scheme);
        }
    }
    return site;
}

}  // namespace

core::Result<LabStudy> knownSites(const etrecord::Record& record) {
    ET_ASSIGN(const std::string method, tasks::chosenMethod(record, {}));
    ET_ASSIGN(const auto model, backends::xnnpack::PreparedModel::make(record, method));
    ET_ASSIGN(const auto reports, tasks::siteReports(*model, {}));
    LabStudy study{.method = visualizers::toQString(method)};
    std::ranges::transform(reports, std::back_inserter(study.sites), makeLabSite);
    return study;
}

HandleLists labHandles(const etrecord::Record& record, const LabStudy& study) {
    HandleLists handles(study.sites.size());
    const etrecord::ExportedGraph* const graph = record.edgeGraph(study.method.toStdString());
    if (graph == nullptr) {
        return handles;
    }
    std::map<std::string_view, const etrecord::Node*> byName;
    for (const etrecord::Node& node : graph->nodes) {
        byName.emplace(node.name, &node);
    }
    for (std::size_t i = 0; i < handles.size(); ++i) {
        for (const std::string& name : study.sites[i].nodes) {
            if (const auto found = byName.find(name); found != byName.end()) {
                const auto& own = found->second->debugHandles;
                handles[i].insert(handles[i].end(), own.begin(), own.end());
            }
        }
        std::ranges::sort(handles[i]);
        const auto repeated = std::ranges::unique(handles[i]);
        handles[i].erase(repeated.begin(), repeated.end());
    }
    return handles;
}

std::shared_ptr<const inspector::SiteErrors> siteErrors(const LabStudy& study, const HandleLists& handles) {
    constexpr double percent = 100;
    inspector::SiteErrors errors{.method = study.method.toStdString(), .sites = {}};
    for (std::size_t i = 0; i < study.sites.size(); ++i) {
        if (const LabSite& site = study.sites[i]; site.only && !handles[i].empty()) {
            errors.sites.push_back({.handles = handles[i], .percent = percent * std::sqrt(*site.only)});
        }
    }
    return std::make_shared<const inspector::SiteErrors>(std::move(errors));
}

std::vector<double> siteTimes(const inspector::Session& session, const LabStudy& study,
                              const HandleLists& handles) {
    if (!session.program || !session.blocks) {
        return {};
    }
    const std::string name = study.method.toStdString();
    const auto& methods = session.program->methods;
    const auto method = std::ranges::find(methods, name, &program::Method::name);
    if (method == methods.end()) {
        return {};
    }
    const auto measured = inspector::measuredTimes({.program = *session.program,
                                                    .backends = backends::describable(),
                                                    .record = session.recordOfProgram(),
                                                    .blocks = session.blocks.get(),
                                                    .method = name},
                                                   *method);
    std::vector<double> times(study.sites.size(), 0);
    bool any = false;
    for (const inspector::MeasuredPart& part : measured) {
        if (const auto site = siteOf(part.handles, handles)) {
            times[*site] += part.amount;
            any = true;
        }
    }
    return any ? times : std::vector<double>();
}

std::optional<std::size_t> siteOf(std::span<const DebugHandle> wanted, const HandleLists& handles) {
    std::optional<std::size_t> best;
    std::size_t most = 0;
    for (std::size_t i = 0; i < handles.size(); ++i) {
        const std::size_t common = commonHandles(wanted, handles[i]);
        const bool closer = best && common == most && handles[i].size() < handles[*best].size();
        if (common > most || (common > 0 && closer)) {
            best = i;
            most = common;
        }
    }
    return best;
}

}  // namespace et::studio
