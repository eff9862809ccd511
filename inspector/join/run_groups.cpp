#include "inspector/join/run_groups.h"

#include "inspector/join/dense_index.h"

#include <optional>
#include <unordered_map>

namespace et::inspector::join::detail {

namespace {

/// Assigns runs to shapes and groups, one run after the other.
class RunSorter {
  public:
    explicit RunSorter(const etdump::Trace& source) : trace(source) {}

    void add(std::uint32_t index) {
        const etdump::Run& run = trace.runs()[index];
        const std::uint32_t shape = shapeOfRun(run);
        const std::uint32_t number =
            keys.add({.rows = rowsOfShape[shape], .name = run.name, .bundledInput = run.bundledInputIndex});
        if (number == out.groups.size()) {
            out.groups.push_back(
                {.name = run.name, .bundledInputIndex = run.bundledInputIndex, .runs = {}, .shapes = {}});
        }
        out.groups[number].runs.push_back(index);
        out.groups[number].shapes.push_back(shape);
    }

    RunGroups release() && { return std::move(out); }

  private:
    struct GroupKey {
        std::uint32_t rows = 0;
        etdump::NameId name = etdump::noName;
        std::int32_t bundledInput = -1;

        bool operator==(const GroupKey&) const = default;
        [[nodiscard]] std::uint64_t hash() const {
            return combineHash(combineHash(rows, name.value), static_cast<std::uint32_t>(bundledInput));
        }
    };

    /// Most runs equal the previous one; the hash is only computed otherwise.
    std::uint32_t shapeOfRun(const etdump::Run& run) {
        if (lastShape && fits(trace, run, out.shapes[*lastShape])) {
            return *lastShape;
        }
        const std::uint64_t hash = shapeHash(trace, run);
        lastShape = knownShape(run, hash);
        if (!lastShape) {
            lastShape = static_cast<std::uint32_t>(out.shapes.size());
            out.shapes.push_back(join::detail::shapeOf(trace, run));
            shapesByHash.emplace(hash, *lastShape);
            rowsOfShape.push_back(rowsNumber(*lastShape));
        }
        return *lastShape;
    }

    [[nodiscard]] std::optional<std::uint32_t> knownShape(const etdump::Run& run, std::uint64_t hash) const {
        const auto [begin, end] = shapesByHash.equal_range(hash);
        for (auto candidate = begin; candidate != end; ++candidate) {
            if (fits(trace, run, out.shapes[candidate->second])) {
                return candidate->second;
            }
        }
        return std::nullopt;
    }

    /// Index of the row list of `shape`: the first shape with the same rows. Most traces have few shapes, so
    /// the rows of the first are hashed only once there is another.
    std::uint32_t rowsNumber(std::uint32_t shape) {
        if (shape == 0) {
            return 0;
        }
        if (shapesByRows.empty()) {
            shapesByRows.emplace(out.shapes.front().rowsHash(), 0);
        }
        const std::uint64_t hash = out.shapes[shape].rowsHash();
        const auto [begin, end] = shapesByRows.equal_range(hash);
        for (auto candidate = begin; candidate != end; ++candidate) {
            if (out.shapes[candidate->second].sameRows(out.shapes[shape])) {
                return candidate->second;
            }
        }
        shapesByRows.emplace(hash, shape);
        return shape;
    }

    const etdump::Trace& trace;
    RunGroups out;
    std::optional<std::uint32_t> lastShape;
    std::unordered_multimap<std::uint64_t, std::uint32_t> shapesByHash, shapesByRows;
    std::vector<std::uint32_t> rowsOfShape;  ///< shape -> index of its row list
    DenseIndex<GroupKey> keys;
};

}  // namespace

RunGroups groupRuns(const etdump::Trace& trace) {
    RunSorter sorter(trace);
    const auto runs = trace.runs();
    for (std::uint32_t index = 0; index < runs.size(); ++index) {
        if (runs[index].hasEvents) {
            sorter.add(index);
        }
    }
    return std::move(sorter).release();
}

}  // namespace et::inspector::join::detail
