#include "app/cli/options/group_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace et::cli {
namespace {

using inspector::events::GroupBy;
using inspector::events::GroupKeys;

constexpr std::array groupChoices{
    Choice{"none", GroupBy::None},         Choice{"op", GroupBy::Op},       Choice{"module", GroupBy::Module},
    Choice{"delegate", GroupBy::Delegate}, Choice{"block", GroupBy::Block}, Choice{"phase", GroupBy::Phase},
    Choice{"trace", GroupBy::Trace},
};

std::vector<std::string> choiceNames() {
    std::vector<std::string> names;
    for (const Choice<GroupBy>& choice : groupChoices) {
        names.emplace_back(choice.name);
    }
    return names;
}

}  // namespace

void addGroupOptions(OptionList& options, GroupOptions& groups) {
    options
        .text("--group-by KEY,...", groups.keys,
              "Show one row per operator (op), module, delegate, block, phase of a language model, or trace; "
              "with several keys, one row per combination: phase,module")
        .suggests(choiceNames());
    addRollUpOptions(options, groups.modules);
}

void addRollUpOptions(OptionList& options, inspector::events::ModuleRollUp& modules) {
    options.integer("--depth", modules.depth,
                    "Combine modules below this depth: 2 keeps layers.0 of layers.0.attention", 1);
    options.flag("--merge-layers", modules.mergeLayers,
                 "Combine modules that differ only in a number: layers.*.attention");
}

core::Result<GroupKeys> makeGroupKeys(const GroupOptions& groups) {
    GroupKeys keys;
    for (const std::string& name : groups.keys) {
        const auto* const found = std::ranges::find(groupChoices, name, &Choice<GroupBy>::name);
        if (found == groupChoices.end()) {
            return core::fail(core::ErrorCode::InvalidArgument,
                              fmt::format("--group-by: unknown key '{}', expected {}", name,
                                          fmt::join(choiceNames(), ", ")));
        }
        keys.add(found->meaning);
    }
    const bool rolled = groups.modules.depth != 0 || groups.modules.mergeLayers;
    if (rolled && !keys.has(GroupBy::Module)) {
        return core::fail(core::ErrorCode::InvalidArgument,
                          "--depth and --merge-layers need --group-by module");
    }
    return keys;
}

}  // namespace et::cli
