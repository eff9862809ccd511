#include "app/cli/memory_report.h"

#include "app/devices/target.h"
#include "app/output/sanitize/memory_errors.h"
#include "app/tasks/base/output_file.h"
#include "app/tasks/sanitize/sanitizer.h"

#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <string_view>

namespace et::cli {
namespace {

using output::Dict;

Dict errorDocument(const MemoryReport& report, std::span<const tasks::MemoryFinding> findings) {
    return {{"schema", std::int64_t{1}},
            {"file", report.program.string()},
            {"memory_errors", output::memoryErrorList(findings)},
            {"reproduce", report.command}};
}

core::Result<> writeReportFile(const MemoryReport& report, std::span<const tasks::MemoryFinding> findings) {
    const std::string text = report.file.extension() == ".xml"
                                 ? output::memoryErrorJunit(findings, report.program.string(), report.command)
                                 : output::jsonLine(errorDocument(report, findings));
    return tasks::writeFile(report.file, tasks::producerOf(text));
}

/// Quotes a word for a shell if it needs that.
std::string quotedWord(const std::string& word) {
    constexpr std::string_view plain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+,./:@%";
    return !word.empty() && word.find_first_not_of(plain) == std::string::npos ? word
                                                                               : devices::shellWord(word);
}

}  // namespace

void MemoryReport::watchCrashes(Console& console) const {
    tasks::Sanitizer::onCrash([report = *this, &console](std::span<const tasks::MemoryFinding> findings) {
        if (report.format == OutputFormat::Json) {
            static_cast<void>(console.out(output::jsonLine(errorDocument(report, findings))));
        }
        static_cast<void>(report.deliver(console, findings));
        std::fflush(stdout);
        ::_exit(static_cast<int>(tasks::ExitCode::MemoryFault));
    });
}

core::Result<> MemoryReport::deliver(Console& console, std::span<const tasks::MemoryFinding> findings) const {
    if (!file.empty()) {
        ET_TRY(writeReportFile(*this, findings));
    }
    if (format == OutputFormat::Json || format == OutputFormat::Csv) {
        for (const tasks::MemoryFinding& each : findings) {
            console.complain(each.summary());
        }
        return {};
    }
    return console.out(output::memoryErrorText(findings, command));
}

tasks::ExitCode MemoryReport::exitCode(std::span<const tasks::MemoryFinding> findings, tasks::ExitCode code) {
    return findings.empty() ? code : tasks::worse(code, tasks::ExitCode::MemoryFault);
}

std::string commandText(const std::string& command, const tasks::CommandArguments& arguments) {
    std::string text = "et-inspect";
    for (const std::string& word : arguments.of(command)) {
        text += " " + quotedWord(word);
    }
    return text;
}

}  // namespace et::cli
