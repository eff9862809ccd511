#include "inspector/explain/code_page.h"

#include "inspector/explain/knowledge.h"
#include "inspector/fit/error_codes.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <memory>

namespace et::inspector {
namespace {

constexpr std::string_view runtimeGroup = "ExecuTorch";

/// Codes of libraries, in the order of their enumerations.
constexpr ExplainedCode libraryCodes[] = {
    {"XNNPACK", 0, "xnn_status_success", "success", {}},
    {"XNNPACK", 1, "xnn_status_uninitialized", "XNNPACK was not initialized", {}},
    {"XNNPACK",
     2,
     "xnn_status_invalid_parameter",
     "a parameter is invalid: shape, dtype or quantization of a node",
     {}},
    {"XNNPACK", 3, "xnn_status_invalid_state", "the call is not valid now, for example before setup", {}},
    {"XNNPACK",
     4,
     "xnn_status_unsupported_parameter",
     "the parameter is valid, and this build does not support it",
     {}},
    {"XNNPACK", 5, "xnn_status_unsupported_hardware", "the processor lacks instructions", {}},
    {"XNNPACK", 6, "xnn_status_out_of_memory", "memory could not be allocated", {}},
    {"XNNPACK",
     7,
     "xnn_status_reallocation_required",
     "the workspace must be allocated again; not a failure",
     {}},
    {"XNNPACK", 8, "xnn_status_deprecated", "the function is not supported any more", {}},
    {"tokenizers", 1, "Internal", "a failure inside the tokenizer", {}},
    {"tokenizers", 2, "Uninitialized", "the tokenizer was not loaded", {}},
    {"tokenizers", 3, "OutOfRange", "a token id is not in the vocabulary", {}},
    {"tokenizers", 4, "LoadFailure", "the file cannot be loaded", {}},
    {"tokenizers", 5, "EncodeFailure", "a text cannot be converted", {}},
    {"tokenizers", 6, "Base64DecodeFailure", "the tiktoken file is damaged", {}},
    {"tokenizers", 7, "ParseFailure", "the file cannot be parsed", {}},
    {"tokenizers", 8, "DecodeFailure", "a token cannot be converted to text", {}},
    {"tokenizers", 9, "RegexFailure", "the pattern of the tokenizer cannot be compiled", {}},
};

std::vector<ExplainedCode::Usual> usualCauses(std::uint32_t code) {
    std::vector<ExplainedCode::Usual> causes;
    const std::string when = fmt::format("code={:#x}", code);
    for (const std::span<const Cause> table : knownCauses()) {
        for (const Cause& cause : table) {
            if (cause.message == "code" && cause.when == when) {
                causes.push_back({.cause = cause.cause, .remedy = cause.remedy});
            }
        }
    }
    return causes;
}

std::optional<std::uint32_t> numberIn(std::string_view text) {
    const bool isHex = text.starts_with("0x") || text.starts_with("0X");
    text.remove_prefix(isHex ? 2 : 0);
    text.remove_prefix(isHex && text.starts_with(':') ? 1 : 0);
    std::uint32_t code = 0;
    const char* const end = std::to_address(text.end());
    const auto [at, error] = std::from_chars(std::to_address(text.begin()), end, code, isHex ? 16 : 10);
    return !text.empty() && error == std::errc() && at == end ? std::optional(code) : std::nullopt;
}

}  // namespace

std::vector<ExplainedCode> explainedCodes() {
    std::vector<ExplainedCode> all;
    for (const ErrorCodeInfo& each : errorCodes()) {
        all.push_back({.group = runtimeGroup,
                       .code = each.code,
                       .name = each.name,
                       .meaning = each.meaning,
                       .causes = usualCauses(each.code)});
    }
    std::ranges::copy(libraryCodes, std::back_inserter(all));
    return all;
}

std::vector<ExplainedCode> findCodes(std::string_view text) {
    constexpr std::string_view scope = "Error::";
    if (text.starts_with(scope)) {
        text.remove_prefix(scope.size());
    }
    std::vector<ExplainedCode> found = explainedCodes();
    const std::optional<std::uint32_t> number = numberIn(text);
    std::erase_if(
        found, [&](const ExplainedCode& each) { return number ? each.code != *number : each.name != text; });
    return found;
}

}  // namespace et::inspector
