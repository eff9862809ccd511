#include "inspector/join/attribution.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

namespace et::inspector::join::detail {

namespace {

constexpr std::string_view forward = "forward";

class Attributor {
  public:
    Attributor(const etdump::Trace& ran, const RunGroups& runGroups, const etrecord::Record& source,
               std::span<const executor::Backend* const> known, bool referenceQuirks)
        : trace(ran), groups(runGroups), record(source), backends(known), quirks(referenceQuirks) {
        for (const std::string& name : record.methods()) {
            const etrecord::ExportedGraph* graph = record.edgeGraph(name);
            candidates.push_back({.method = {.name = name, .maps = record.maps(name), .graph = graph},
                                  .operators = graph == nullptr ? GraphOperators() : GraphOperators(*graph)});
        }
        // Reference order: among equally good matches, prefer forward, as the reference does.
        std::ranges::stable_partition(
            candidates, [](const Candidate& candidate) { return candidate.method.name == forward; });
    }

    /// Restricts the candidates to `name`. Errors: NotFound.
    core::Result<> restrictTo(std::string_view name) {
        const auto chosen = std::ranges::find(
            candidates, name, [](const Candidate& candidate) { return candidate.method.name; });
        if (chosen == candidates.end()) {
            return core::fail(
                core::ErrorCode::NotFound,
                fmt::format("no method \"{}\" in the record, which has {}", core::printable(name),
                            core::printable(fmt::format("{}", fmt::join(record.methods(), ", ")))),
                {.file = record.file().name(), .field = "method", .offset = {}});
        }
        candidates = {*chosen};
        return {};
    }

    Attribution run() {
        out.methods.resize(groups.groups.size());
        for (std::size_t group = 0; group < groups.groups.size(); ++group) {
            const Evidence evidence =
                collectEvidence(trace, groups.shapes[groups.groups[group].shapes.front()]);
            if (!evidence.empty() && !candidates.empty()) {
                out.methods[group] = choose(evidence, group);
                known.push_back(group);
            }
        }
        inheritUnknown();
        return std::move(out);
    }

  private:
    MethodView choose(const Evidence& evidence, std::size_t group) {
        std::vector<MethodFit> fits;
        for (const Candidate& candidate : candidates) {
            fits.push_back(fitOf(evidence, candidate, record.hasDelegateMap(), backends, budget));
        }
        const auto best = std::ranges::min_element(
            fits, [](const MethodFit& a, const MethodFit& b) { return a.betterThan(b); });
        const MethodView& method = candidates[static_cast<std::size_t>(best - fits.begin())].method;
        warnIfAmbiguous(fits, *best, method, group);
        if (!best->first.empty() && !out.contradiction) {
            out.contradiction = fmt::format(
                "the record {} does not fit the trace {}: block {}, method {}: {}; {}",
                core::printable(record.file().name()), core::printable(trace.file().name()), blockName(group),
                core::printable(method.name), best->first, quirks ? "its labels are wrong" : "it is ignored");
            out.warnings.push_back(*out.contradiction);
        }
        return method;
    }

    void warnIfAmbiguous(const std::vector<MethodFit>& fits, const MethodFit& best, const MethodView& chosen,
                         std::size_t group) {
        std::vector<std::string_view> names;
        for (std::size_t i = 0; i < fits.size(); ++i) {
            if (fits[i].asGoodAs(best)) {
                names.push_back(candidates[i].method.name);
            }
        }
        if (names.size() > 1) {
            const std::string list = fmt::format("{}", fmt::join(names, ", "));
            out.warnings.push_back(
                fmt::format("block {} matches several methods of the record ({}); using {}", blockName(group),
                            core::printable(list), core::printable(chosen.name)));
        }
    }

    [[nodiscard]] std::string blockName(std::size_t group) const {
        return fmt::format("{} \"{}\"", group, core::printable(trace.text(groups.groups[group].name)));
    }

    /// Loading precedes running: a group without calls belongs to the next one with some.
    void inheritUnknown() {
        for (std::size_t group = 0; group < out.methods.size(); ++group) {
            if (!out.methods[group].name.empty() || candidates.empty()) {
                continue;
            }
            if (const auto source = nearestKnown(groups.groups[group].runs.front())) {
                out.methods[group] = out.methods[*source];
            } else if (candidates.size() == 1) {
                out.methods[group] = candidates.front().method;
            }
        }
    }

    [[nodiscard]] std::optional<std::size_t> nearestKnown(std::uint32_t run) const {
        const auto firstRun = [this](std::size_t group) { return groups.groups[group].runs.front(); };
        std::optional<std::size_t> before;
        for (const std::size_t group : known) {  // in order of first runs
            if (firstRun(group) > run) {
                return group;
            }
            before = group;
        }
        return before;
    }

    const etdump::Trace& trace;
    const RunGroups& groups;
    const etrecord::Record& record;
    std::span<const executor::Backend* const> backends;
    bool quirks;
    std::vector<Candidate> candidates;
    std::vector<std::size_t> known;   ///< groups whose events identified the method
    std::size_t budget = 50'000'000;  ///< name comparisons and map entries, over all groups and methods
    Attribution out;
};

}  // namespace

core::Result<Attribution> attribute(const etdump::Trace& trace, const RunGroups& groups,
                                    const etrecord::Record& record, const JoinOptions& options) {
    Attributor attributor(trace, groups, record, options.backends, options.referenceQuirks);
    if (options.referenceQuirks) {
        ET_TRY(attributor.restrictTo(forward));
    } else if (!options.method.empty()) {
        ET_TRY(attributor.restrictTo(options.method));
    }
    return attributor.run();
}

}  // namespace et::inspector::join::detail
