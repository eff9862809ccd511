#include "app/serve/functions.h"

#include "app/serve/protocol.h"
#include "runtime/core/descriptor.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

namespace et::serve {
namespace {

/// Python checks both before it calls anything else.
Value hello() {
    return tupleOf(protocolVersion, std::string_view(ET_INSPECT_VERSION));
}

/// Sets the folder that relative paths start from: Python's, which may change.
void setFolder(const std::filesystem::path& folder) {
    std::error_code failed;
    std::filesystem::current_path(folder, failed);
    if (failed) {
        raise(core::systemError("cannot enter the folder", failed.value(), folder.native()));
    }
}

constexpr std::array ownFunctions{function<&hello>("hello"), function<&setFolder>("set_folder")};

/// Returns all functions, sorted by name.
std::vector<Function> sortedFunctions() {
    std::vector<Function> all;
    for (const std::span<const Function> table :
         {std::span<const Function>(ownFunctions), blockFunctions(), bundleFunctions(), contentFunctions(),
          conversationFunctions(), gapFunctions(), kernelFunctions(), listeningFunctions(), optionFunctions(),
          programFunctions(), recordFunctions(), sessionFunctions(), workflowFunctions()}) {
        all.insert(all.end(), table.begin(), table.end());
    }
    std::ranges::sort(all, {}, &Function::name);
    return all;
}

}  // namespace

namespace detail {

void checkCount(std::size_t expected, std::size_t given) {
    if (expected != given) {
        raise("TypeError", fmt::format("expected {} arguments, got {}", expected, given));
    }
}

}  // namespace detail

const Function* findFunction(std::string_view name) {
    static const std::vector<Function> sorted = sortedFunctions();
    const auto found = std::ranges::lower_bound(sorted, name, {}, &Function::name);
    return found == sorted.end() || found->name != name ? nullptr : &*found;
}

}  // namespace et::serve
