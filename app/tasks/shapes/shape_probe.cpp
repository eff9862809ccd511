#include "app/tasks/shapes/shape_probe.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace et::tasks {
namespace {

using core::Result;
using etrecord::SymbolValues;

class Probe {
  public:
    Probe(ShapeSpace& of, const RunsOn& how) : space(of), runs(how) {}

    Result<> run() {
        ET_ASSIGN(const bool isSound, runsWith({}, 0));
        if (!isSound) {
            return core::fail(core::ErrorCode::Unsupported,
                              "the program does not run on its largest planned sizes");
        }
        ET_TRY(findGroups());
        name();
        return findMinimums();
    }

  private:
    using Group = std::vector<std::string>;

    /// Runs with all symbols at their maximum, except these, which are smaller by `less`.
    Result<bool> runsWith(const Group& group, std::int64_t less) const {
        SymbolValues values = space.typical();
        for (const std::string& each : group) {
            values[each] -= less;
        }
        ET_ASSIGN(const InputSizes sizes, sizesAt(space, values));
        return runs(sizes);
    }

    /// First finds symbols that change alone, then pairs, then all remaining ones with the same bound.
    Result<> findGroups() {
        std::vector<Group> stuck;
        for (const ShapeSymbol& each : space.symbols) {
            const Group alone{each.name};
            ET_ASSIGN(const bool moves, runsWith(alone, 1));
            (moves ? groups : stuck).push_back(alone);
        }
        while (!stuck.empty()) {
            Group first = std::move(stuck.front());
            stuck.erase(stuck.begin());
            ET_ASSIGN(Group group, partnersOf(first, stuck));
            std::erase_if(stuck,
                          [&](const Group& each) { return std::ranges::contains(group, each.front()); });
            if (group.size() > 1) {
                groups.push_back(std::move(group));
            }
        }
        return {};
    }

    /// The group of a dimension that does not change alone; only itself if nothing makes it change.
    Result<Group> partnersOf(const Group& first, const std::vector<Group>& others) const {
        const std::int64_t bound = space.find(first.front())->maximum;
        Group all = first;
        for (const Group& each : others) {
            if (space.find(each.front())->maximum != bound) {
                continue;
            }
            const Group pair{first.front(), each.front()};
            ET_ASSIGN(const bool moves, runsWith(pair, 1));
            if (moves) {
                return pair;
            }
            all.push_back(each.front());
        }
        ET_ASSIGN(const bool moves, all.size() > 2 ? runsWith(all, 1) : Result<bool>(false));
        return moves ? all : first;
    }

    /// Replaces the symbols by those of the groups, starting at "d0"; a dimension that never changes gets its
    /// fixed size.
    void name() {
        std::vector<ShapeSymbol> symbols;
        for (const Group& group : groups) {
            ShapeSymbol symbol = *space.find(group.front());
            symbol.name = "d" + std::to_string(symbols.size());
            symbols.push_back(std::move(symbol));
        }
        for (ShapedInput& input : space.inputs) {
            for (ShapeDimension& dimension : input.dimensions) {
                if (space.find(dimension.size) == nullptr) {
                    continue;
                }
                const auto group = std::ranges::find_if(
                    groups, [&](const Group& each) { return std::ranges::contains(each, dimension.size); });
                dimension.size = group == groups.end()
                                     ? std::to_string(dimension.bound)
                                     : symbols[static_cast<std::size_t>(group - groups.begin())].name;
            }
        }
        space.symbols = std::move(symbols);
    }

    Result<> findMinimums() {
        for (ShapeSymbol& symbol : space.symbols) {
            SymbolValues values = space.typical();
            std::int64_t low = 1;
            std::int64_t high = symbol.maximum - 1;  // which runs
            bool isFirst = true;                     // most dimensions run with 1
            while (low < high) {
                const std::int64_t middle = isFirst ? 1 : low + (high - low) / 2;
                isFirst = false;
                values[symbol.name] = middle;
                ET_ASSIGN(const InputSizes sizes, sizesAt(space, values));
                ET_ASSIGN(const bool isEnough, runs(sizes));
                (isEnough ? high : low) = isEnough ? middle : middle + 1;
            }
            symbol.minimum = std::max<std::int64_t>(high, 1);
            symbol.minimumFrom = BoundSource::Probe;
        }
        return {};
    }

    ShapeSpace& space;
    const RunsOn& runs;
    std::vector<Group> groups;
};

}  // namespace

Result<> probe(ShapeSpace& space, const RunsOn& runs) {
    return Probe(space, runs).run();
}

}  // namespace et::tasks
