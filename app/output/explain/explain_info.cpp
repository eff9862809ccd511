#include "app/output/explain/explain_info.h"

#include "app/output/wrapped_text.h"
#include "inspector/explain/code_page.h"
#include "inspector/fit/error_codes.h"
#include "runtime/core/result.h"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

namespace et::output {
namespace {

using inspector::ExplainedCause;
using inspector::ExplainedCode;
using inspector::Explanation;

std::string paragraph(std::string_view label, std::string_view text, std::size_t width) {
    constexpr std::size_t indent = 3;
    return std::string(indent, ' ') +
           wrapped(fmt::format("{}{}", label, core::printable(text)), width - indent, indent) + "\n";
}

std::string causeText(std::size_t number, const ExplainedCause& cause, std::size_t width) {
    constexpr std::size_t indent = 3;
    std::string out =
        wrapped(fmt::format("{}. {} ({})", number, core::printable(cause.cause), name(cause.confidence)),
                width, indent) +
        "\n";
    out += paragraph("Evidence: ", cause.evidence, width);
    out += paragraph("Fix: ", cause.remedy, width);
    return out;
}

std::string codeLine(const ExplainedCode& code) {
    return fmt::format("{:#04x}  {:>3}  {}: {}", code.code, code.code, code.name, code.meaning);
}

std::string detailedCode(const ExplainedCode& code, std::size_t width) {
    std::string out = fmt::format("{} {}\n", code.group, codeLine(code));
    for (const ExplainedCode::Usual& usual : code.causes) {
        out += paragraph("- ", usual.cause, width);
        out += paragraph("  Fix: ", usual.remedy, width);
    }
    return out;
}

Dict detailedInfo(const ExplainedCode& code) {
    return {{"group", std::string(code.group)},
            {"code", std::int64_t{code.code}},
            {"name", std::string(code.name)},
            {"meaning", std::string(code.meaning)},
            {"causes", listOf(code.causes, [](const ExplainedCode::Usual& usual) {
                 return Dict{{"cause", std::string(usual.cause)}, {"remedy", std::string(usual.remedy)}};
             })}};
}

}  // namespace

Dict explanationInfo(const Explanation& explanation) {
    return {{"known", explanation.known},
            {"failure", explanation.failure},
            {"causes", listOf(explanation.causes,
                              [](const ExplainedCause& cause) {
                                  return Dict{{"cause", cause.cause},
                                              {"evidence", cause.evidence},
                                              {"remedy", cause.remedy},
                                              {"confidence", std::string(name(cause.confidence))}};
                              })},
            {"codes",
             listOf(explanation.codes, [](std::uint32_t code) { return inspector::errorCodeText(code); })}};
}

std::string explanationText(const Explanation& explanation, std::size_t width) {
    std::string out = wrapped(core::printable(explanation.failure) + ".", width, 0) + "\n";
    for (const std::uint32_t code : explanation.codes) {
        out += fmt::format("   code: {}\n", inspector::errorCodeText(code));
    }
    for (const inspector::FailureDetail& detail : explanation.details) {
        out += paragraph(detail.name + ": ", detail.text, width);
    }
    if (!explanation.known) {
        out += "The cause is not known.\n";
    }
    for (std::size_t i = 0; i < explanation.causes.size(); ++i) {
        out += "\n" + causeText(i + 1, explanation.causes[i], width);
    }
    out += explanation.causes.empty() ? "\nTo get help, send:\n" : "\nIf none of these is the cause, send:\n";
    for (const std::string& each : explanation.send) {
        out += paragraph("- ", each, width);
    }
    return out;
}

std::string codesText() {
    std::string out;
    std::string_view group;
    for (const ExplainedCode& code : inspector::explainedCodes()) {
        if (code.group != group) {
            group = code.group;
            out += fmt::format("{}{}\n", out.empty() ? "" : "\n", group);
        }
        out += fmt::format("  {}\n", codeLine(code));
    }
    return out;
}

Dict codesInfo() {
    return {{"codes", listOf(inspector::explainedCodes(), detailedInfo)}};
}

std::string codesPage() {
    std::string out =
        "# Error codes\n\n"
        "Codes that ExecuTorch, XNNPACK and the tokenizers print, with usual causes. `et-inspect explain "
        "0x12` prints one, "
        "`et-inspect explain < log` finds the cause in a log. Apps often print the decimal value.\n";
    std::string_view group;
    for (const ExplainedCode& code : inspector::explainedCodes()) {
        if (code.group != group) {
            group = code.group;
            out += fmt::format(
                "\n## {}\n\n| code | decimal | name | meaning | usual causes |\n|---|---|---|---|---|\n",
                group);
        }
        std::string causes;
        for (const ExplainedCode::Usual& usual : code.causes) {
            causes += fmt::format("{}{}", causes.empty() ? "" : "<br>", usual.cause);
        }
        out += fmt::format("| {:#04x} | {} | `{}` | {} | {} |\n", code.code, code.code, code.name,
                           code.meaning, causes);
    }
    return out;
}

std::optional<std::string> codeText(std::string_view code, std::size_t width) {
    std::string out;
    for (const ExplainedCode& each : inspector::findCodes(code)) {
        out += (out.empty() ? "" : "\n") + detailedCode(each, width);
    }
    return out.empty() ? std::nullopt : std::optional(out);
}

std::optional<Dict> codeInfo(std::string_view code) {
    const auto found = inspector::findCodes(code);
    return found.empty() ? std::nullopt : std::optional(Dict{{"codes", listOf(found, detailedInfo)}});
}

}  // namespace et::output
