#include "app/tasks/reduce/smallest_list.h"

#include <algorithm>
#include <set>
#include <utility>

namespace et::tasks {
namespace {

using core::Result;
using Indices = std::vector<std::size_t>;

class Search {
  public:
    Search(Indices start, const StillFails& asked) : best(std::move(start)), fails(asked) {}

    Result<Indices> run() {
        for (std::size_t before = best.size() + 1; best.size() < before;) {
            before = best.size();
            ET_TRY(cutEnds());
            ET_TRY(cutMiddle());
        }
        return std::move(best);
    }

  private:
    /// Removes items if the rest still fails.
    Result<bool> leaveOut(std::size_t first, std::size_t count) {
        if (count >= best.size()) {
            return false;
        }
        Indices kept = best;
        kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(first),
                   kept.begin() + static_cast<std::ptrdiff_t>(first + count));
        if (!tried.insert(kept).second) {
            return false;  // it did not fail before
        }
        ET_ASSIGN(const bool failing, fails(kept));
        if (failing) {
            best = std::move(kept);
        }
        return failing;
    }

    /// Cuts the back first: items that run after a failure are irrelevant to it.
    Result<> cutEnds() {
        for (const bool back : {true, false}) {
            for (std::size_t step = best.size() / 2; step > 0;) {
                step = std::min(step, best.size() - 1);
                ET_ASSIGN(const bool cut, leaveOut(back ? best.size() - step : 0, step));
                step = cut ? std::min(step, best.size() / 2) : step / 2;
            }
        }
        return {};
    }

    Result<> cutMiddle() {
        for (std::size_t step = best.size() / 2; step > 0; step /= 2) {
            for (std::size_t at = 0; at + step <= best.size();) {
                ET_ASSIGN(const bool cut, leaveOut(at, step));
                at += cut ? 0 : step;
            }
        }
        return {};
    }

    Indices best;
    const StillFails& fails;
    std::set<Indices> tried;
};

}  // namespace

Result<Indices> smallestFailing(Indices all, const StillFails& fails) {
    return Search(std::move(all), fails).run();
}

}  // namespace et::tasks
