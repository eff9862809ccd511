#include "app/studio/lab/lab_sites.h"

#include "backends/builtin.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

namespace et::studio {

using core::DebugHandle;
using visualizers::LabSite;
using visualizers::LabStudy;

namespace {

using HandleLists = std::vector<std::vector<DebugHandle>>;

std::size_t commonHandles(std::span<const DebugHandle> one, std::span<const DebugHandle> other) {
    std::vector<DebugHandle> both;
    std::ranges::set_intersection(one, other, std::back_inserter(both));
    return both.size();
}

}  // namespace

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
