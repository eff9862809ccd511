#include "app/output/sanitize/memory_errors.h"

#include "app/output/junit.h"
#include "runtime/core/result.h"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace et::output {
namespace {

using tasks::MemoryFinding;

/// The lines below the first one.
std::vector<std::string> detailLines(const MemoryFinding& finding) {
    std::vector<std::string> lines{finding.placeText()};
    if (finding.value) {
        lines.front() += fmt::format(": value {}{}", *finding.value,
                                     finding.type.empty() ? "" : fmt::format(", {}", finding.type));
    }
    if (!finding.detail.empty()) {
        lines.push_back(core::printable(finding.detail));
    }
    if (const std::string code = finding.codeText(); !code.empty()) {
        lines.push_back(code);
    }
    if (!finding.python.empty()) {
        lines.push_back(core::printable(finding.python));
    }
    if (finding.times > 1) {
        lines.push_back(fmt::format("seen {} times", finding.times));
    }
    return lines;
}

std::string headline(const MemoryFinding& finding) {
    const std::string access = finding.accessText();
    return fmt::format("{}{}{}", traits(finding.kind).meaning, access.empty() ? "" : ": ", access);
}

}  // namespace

List memoryErrorList(std::span<const MemoryFinding> findings) {
    return listOf(findings, [](const MemoryFinding& each) {
        return Dict{{"kind", std::string(traits(each.kind).name)},
                    {"meaning", std::string(traits(each.kind).meaning)},
                    {"method", each.method},
                    {"chain", std::int64_t{each.chain}},
                    {"instruction", std::int64_t{each.instruction}},
                    {"operator", each.op},
                    {"argument", each.argument ? Cell(std::int64_t{*each.argument}) : Cell()},
                    {"argument_name", each.argumentName},
                    {"value", each.value ? Cell(std::int64_t{*each.value}) : Cell()},
                    {"type", each.type},
                    {"access", each.isWrite ? Cell(std::string(*each.isWrite ? "write" : "read")) : Cell()},
                    {"access_bytes", std::uint64_t{each.accessBytes}},
                    {"byte_offset", optionalCell(each.offset)},
                    {"element", optionalCell(each.element)},
                    {"bytes", each.bytes},
                    {"function", each.function},
                    {"library", each.library},
                    {"source_file", each.sourceFile},
                    {"source_line", std::int64_t{each.sourceLine}},
                    {"python", each.python},
                    {"detail", each.detail},
                    {"times", each.times}};
    });
}

std::string memoryErrorText(std::span<const MemoryFinding> findings, std::string_view command) {
    if (findings.empty()) {
        return "no memory errors\n";
    }
    std::string text = fmt::format("{} memory error{}:\n", findings.size(), plural(findings.size()));
    for (const MemoryFinding& each : findings) {
        text += fmt::format("  {}\n", headline(each));
        for (const std::string& line : detailLines(each)) {
            text += fmt::format("    {}\n", line);
        }
    }
    if (!command.empty()) {
        text += fmt::format("reproduce: {}\n", command);
    }
    return text;
}

std::string memoryErrorJunit(std::span<const MemoryFinding> findings, std::string_view program,
                             std::string_view command) {
    JUnitSuite suite{.name = std::string(program), .tests = {}};
    suite.properties.emplace_back("command", command);
    for (const MemoryFinding& each : findings) {
        std::string message = headline(each);
        for (const std::string& line : detailLines(each)) {
            message += "\n" + line;
        }
        suite.tests.push_back({.name = fmt::format("{}: {}", each.placeText(), traits(each.kind).name),
                               .outcome = JUnitTest::Outcome::Failure,
                               .message = std::move(message)});
    }
    if (findings.empty()) {
        suite.tests.push_back({.name = "memory accesses"});
    }
    return junitXml("et-inspect --sanitize", std::array{std::move(suite)});
}

}  // namespace et::output
