#include "backends/reference/regions.h"

#include <map>
#include <optional>
#include <utility>

namespace et::backends::reference {
namespace {

constexpr int maxRegionDepth = 32;

class RegionReader {
  public:
    explicit RegionReader(const program::Chain& of) : chain(of) {
        for (std::size_t i = 0; i < chain.instructions.size(); ++i) {
            const auto target = destination(static_cast<std::int32_t>(i));
            if (target && std::cmp_less_equal(*target, i)) {
                loopEnds[*target] = static_cast<std::int32_t>(i);  // keeps the outermost loop that begins
                                                                   // here
            }
        }
    }

    /// Reads instructions [begin, end).
    Region read(std::int32_t begin, std::int32_t end, int depth) {
        Region region;
        for (std::int32_t at = begin; at < end;) {
            if (const auto loop = loopEnds.find(at); loop != loopEnds.end() && loop->second < end) {
                const std::int32_t last = loop->second;
                loopEnds.erase(loop);
                region.inner.push_back(readLoop(at, last, depth));
                at = last + 1;
            } else if (const auto target = destination(at)) {
                at = readBranches(region, at, *target, end, depth);
            } else {
                region.instructions.push_back(at++);
            }
        }
        return region;
    }

  private:
    [[nodiscard]] std::optional<std::int32_t> destination(std::int32_t at) const {
        const auto* jump =
            std::get_if<program::JumpFalseCall>(&chain.instructions[static_cast<std::size_t>(at)]);
        return jump == nullptr ? std::nullopt : std::optional(jump->destination.value);
    }

    Region part(std::int32_t begin, std::int32_t end, int depth) {
        return depth < maxRegionDepth ? read(begin, end, depth + 1) : Region{};
    }

    /// Reads instructions [begin, last]; the last one jumps back.
    Region::ControlFlow readLoop(std::int32_t begin, std::int32_t last, int depth) {
        Region::ControlFlow loop{.kind = Region::Kind::Loop, .parts = {}};
        for (std::int32_t at = begin; at < last; ++at) {
            if (const auto target = destination(at); target && *target > last) {  // exits the loop
                loop.parts.push_back(part(begin, at, depth));
                loop.parts.push_back(part(at + 1, last, depth));
                return loop;
            }
        }
        loop.parts.push_back(part(begin, last, depth));
        return loop;
    }

    /// A forward jump skips the instructions of the true branch; these end with a jump over the false branch
    /// if there is one. Returns the next instruction.
    std::int32_t readBranches(Region& region, std::int32_t at, std::int32_t target, std::int32_t end,
                              int depth) {
        if (target <= at || target > end) {
            return at + 1;
        }
        const auto over = target - 1 > at ? destination(target - 1) : std::nullopt;
        const bool hasOther = over && *over >= target && *over <= end;
        Region::ControlFlow branches;
        branches.parts.push_back(part(at + 1, hasOther ? target - 1 : target, depth));
        if (hasOther) {
            branches.parts.push_back(part(target, *over, depth));
        }
        region.inner.push_back(std::move(branches));
        return hasOther ? *over : target;
    }

    const program::Chain& chain;
    std::map<std::int32_t, std::int32_t> loopEnds;  ///< last instruction of a loop, by its first
};

}  // namespace

Region makeRegions(const program::Chain& chain) {
    return RegionReader(chain).read(0, static_cast<std::int32_t>(chain.instructions.size()), 0);
}

}  // namespace et::backends::reference
