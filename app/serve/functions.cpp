#include "app/serve/functions.h"

#include "app/serve/protocol.h"
#include "runtime/core/descriptor.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <initializer_list>
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

std::vector<Function> sortedFunctions(std::initializer_list<std::span<const Function>> tables) {
    std::vector<Function> all;
    for (const std::span<const Function> table : tables) {
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

std::span<const Function> allFunctions() {
    static const std::vector<Function> all =
        sortedFunctions({ownFunctions, blockFunctions(), bundleFunctions(), gapFunctions(), kernelFunctions(),
                         listeningFunctions(), optionFunctions(), programFunctions(), recordFunctions(),
                         sessionFunctions(), workflowFunctions()});
    return all;
}

std::span<const Function> readingFunctions() {
    static const std::vector<Function> all =
        sortedFunctions({ownFunctions, blockFunctions(), bundleFunctions(), optionFunctions()});
    return all;
}

const Function* findFunction(std::span<const Function> sorted, std::string_view name) {
    const auto found = std::ranges::lower_bound(sorted, name, {}, &Function::name);
    return found == sorted.end() || found->name != name ? nullptr : &*found;
}

}  // namespace et::serve
