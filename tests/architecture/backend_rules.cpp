#include "tests/architecture/backend_rules.h"

#include "tests/architecture/include_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace et::architecture {
namespace {

constexpr std::array<std::string_view, 2> neutralFolders{"inspector/", "visualizers/"};
/// Explains the messages of all backends, so it names them.
constexpr std::string_view messagesFolder = "inspector/explain/";
constexpr std::string_view backendsFolder = "backends/";
constexpr std::string_view referenceFolder = "backends/reference/";
/// Lower-case prefix of all XNNPACK names.
constexpr std::string_view spelled = "xnn";

/// True for "backends/vulkan/describe.h", but not for "backends/builtin.h".
bool isOfOneBackend(std::string_view path) {
    return path.starts_with(backendsFolder) && !path.starts_with(referenceFolder) &&
           path.find('/', backendsFolder.size()) != std::string_view::npos;
}

/// True if a line contains the name, other than as the escape "\xNN".
bool namesIt(std::string_view line) {
    std::string lower(line);
    std::ranges::transform(lower, lower.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    for (std::size_t at = lower.find(spelled); at != std::string::npos; at = lower.find(spelled, at + 1)) {
        if (at == 0 || lower[at - 1] != '\\') {
            return true;
        }
    }
    return false;
}

}  // namespace

std::vector<std::string> backendViolations(const SourceFile& file) {
    std::vector<std::string> violations;
    if (!startsWithAny(file.path, neutralFolders)) {
        return violations;
    }
    for (const Include& include : includesOf(file.text)) {
        if (isOfOneBackend(include.target)) {
            violations.push_back(
                fmt::format("{}:{}: includes {}, of one backend", file.path, include.line, include.target));
        }
    }
    std::string_view rest = file.path.starts_with(messagesFolder) ? std::string_view() : file.text;
    for (std::size_t number = 1; !rest.empty(); ++number) {
        const std::string_view line = rest.substr(0, rest.find('\n'));
        if (namesIt(line)) {
            violations.push_back(fmt::format("{}:{}: names a backend", file.path, number));
        }
        rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    }
    return violations;
}

}  // namespace et::architecture
