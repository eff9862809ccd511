#include "app/output/verify/report_github.h"

#include "app/output/verify/summary.h"

#include <fmt/format.h>

#include <string_view>

namespace et::output {
namespace {

using bundled_program::FileReport;
using bundled_program::Verdict;

/// Percent-encodes characters of `text` that would end a command or a property of it.
std::string escaped(std::string_view text, std::string_view special) {
    std::string safe;
    for (const char c : text) {
        const bool escape = special.find(c) != std::string_view::npos;
        safe += escape ? fmt::format("%{:02X}", static_cast<unsigned char>(c)) : std::string(1, c);
    }
    return safe;
}
std::string message(std::string_view text) {
    return escaped(core::printable(text), "%\r\n");
}
std::string property(std::string_view text) {
    return escaped(core::printable(text), "%\r\n:,");
}

std::string annotation(const FileReport& file, Verdict verdict, std::string_view text) {
    return fmt::format("::error file={},title={}::{}\n", property(file.file),
                       property(fmt::format("et-inspect verify: {}", name(verdict))), message(text));
}

}  // namespace

std::string githubAnnotations(std::span<const FileReport> reports) {
    std::string text;
    for (const FileReport& file : reports) {
        for (const Problem& each : problems(file)) {
            text += annotation(file, each.verdict, each.message);
        }
    }
    return text + summaryLine(reports) + "\n";
}

}  // namespace et::output
