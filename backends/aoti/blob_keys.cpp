#include "backends/aoti/blob_keys.h"

#include "backends/payload_info.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace et::backends::aoti {
namespace {

constexpr std::string_view library = "so_blob";
constexpr std::string_view weights = "weights_blob";
constexpr std::size_t hashDigits = 64;

/// `ending`: what follows the hash in the name.
DelegateData keyOf(std::string_view name, std::string_view ending) {
    DelegateData key{.name = std::string(name), .isRequired = true};
    const std::string_view hash = name.substr(0, hashDigits);
    const bool isHash = name.size() == hashDigits + 1 + ending.size() && name.ends_with(ending) &&
                        name[hashDigits] == '_' &&
                        hash.find_first_not_of("0123456789abcdef") == std::string_view::npos;
    key.sha256 = isHash ? hash : std::string_view();
    return key;
}

}  // namespace

DelegateDataList blobKeys(const program::Delegate& delegate, std::string_view method) {
    if (delegate.payload.empty()) {
        const std::string prefix = method.empty() ? std::string() : fmt::format("{}_", method);
        return {.data = {{.name = prefix + std::string(library), .isRequired = true},
                         {.name = prefix + std::string(weights), .isRequired = true}},
                .isComplete = true};
    }
    const auto text = asText(delegate.payload);
    const std::size_t end = text ? text->find('\n') : std::string_view::npos;
    if (end == std::string_view::npos) {
        return {};
    }
    return {.data = {keyOf(text->substr(0, end), library), keyOf(text->substr(end + 1), weights)},
            .isComplete = true};
}

}  // namespace et::backends::aoti
