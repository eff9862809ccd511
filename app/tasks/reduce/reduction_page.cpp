#include "app/tasks/reduce/reduction_page.h"

#include "app/tasks/reduce/candidate_process.h"
#include "app/tasks/rewrite/number_list.h"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <cctype>
#include <string_view>
#include <utility>

namespace et::tasks {
namespace {

/// Formats text for a Markdown table or code span.
std::string code(std::string_view text) {
    std::string safe;
    for (const char each : core::printable(text)) {
        safe += each == '`' ? '\'' : each == '|' ? '/' : each;
    }
    return '`' + safe + '`';
}

std::string quotedForShell(const std::filesystem::path& path) {
    return commandFor("{}", path);
}

std::string failingCommand(const Reduction& reduction, const ReduceSettings& settings) {
    std::string options;
    for (const auto& each : settings.options.plugins) {
        options += " --plugin " + quotedForShell(each);
    }
    switch (reduction.kind) {
        case FailureKind::Command:
            return commandFor(settings.failure, reduction.file);
        case FailureKind::Crash:
            return "et-inspect run " + reduction.file + options;
        case FailureKind::Slower:
            return "et-inspect bench " + reduction.file + options;
        case FailureKind::Nan:
            return "et-inspect soak " + reduction.file + " --runs 2 --origin nan" + options;
        default:
            return "et-inspect verify " + reduction.file + options;
    }
}

std::string takingCommand(const Reduction& reduction, const ReduceSettings& settings) {
    std::string text =
        fmt::format("et-inspect extract {} --instructions {}", quotedForShell(settings.model.filename()),
                    numberListText(reduction.part.instructions));
    if (!settings.options.method.empty()) {
        text += " --method " + quotedForShell(settings.options.method);
    }
    for (const auto& each : settings.options.tensorData) {
        text += " --data " + quotedForShell(each.filename());
    }
    if (!reduction.part.nodes.empty()) {
        text += " --nodes " + nodeChoiceText(reduction.part.nodes, reduction.part.instructions);
    }
    return text + " -o " + reduction.file;
}

/// Describes what is smaller than in the whole; empty: nothing.
std::string smallerText(const Reduction& reduction) {
    std::string text;
    if (reduction.sizes != reduction.sizesBefore) {
        text = fmt::format("Its inputs are smaller than in the original: {} instead of {}",
                           partSizesText(reduction.sizes), partSizesText(reduction.sizesBefore));
    }
    const std::string_view begin = text.empty() ? "Dimensions of its constants are reduced: "
                                                : "; dimensions of its constants are reduced: ";
    for (bool isFirst = true; const auto& [before, after] : reduction.constants) {
        text +=
            fmt::format("{}{} instead of {}", std::exchange(isFirst, false) ? begin : ", ", after, before);
    }
    return text.empty() ? text : text + ".\n\n";
}

/// Versions that built the part and that run it here.
std::string versionsText(const Reduction& reduction, const ReduceSettings& settings) {
    std::string text = fmt::format("et-inspect {}", settings.version);
    utsname system{};
    if (::uname(&system) == 0) {
        text += fmt::format(" on {} {} ({})", system.sysname, system.release, system.machine);
    }
    if (!reduction.torchVersion.empty()) {
        text += fmt::format(", exported with PyTorch {}", core::printable(reduction.torchVersion));
    }
    return text;
}

std::string remainingText(const Reduction& reduction) {
    const PartChoice& part = reduction.part;
    std::string text;
    if (part.nodes.empty() || part.instructions.size() > 1) {
        text = fmt::format("{} of {} instructions", part.instructions.size(), reduction.instructionsBefore);
    }
    if (!part.nodes.empty()) {
        text += fmt::format("{}{} of {} operators of {}", text.empty() ? "" : ", ", nodeCount(part.nodes),
                            reduction.nodesBefore, part.nodes.size() == 1 ? "a delegate" : "delegates");
    }
    return text;
}

std::string inputsText(const Reduction& reduction) {
    const std::string_view inputs = !reduction.fill                  ? "its inputs from the original program"
                                    : *reduction.fill == Fill::Zeros ? "inputs of zeros"
                                                                     : "inputs of ones";
    switch (reduction.kind) {
        case FailureKind::Crash:
            return std::string(inputs);
        case FailureKind::Gap:
        case FailureKind::Verify:
            return fmt::format("{} and the expected outputs", inputs);
        default:
            return fmt::format("{} and the outputs computed here", inputs);
    }
}

std::string operatorTable(const Reduction& reduction) {
    std::string text = "| instruction | operator | Edge nodes | source |\n|---|---|---|---|\n";
    for (const ReducedOperator& each : reduction.operators) {
        std::string nodes;
        for (const std::string& node : each.edgeNodes) {
            nodes += (nodes.empty() ? "" : ", ") + code(node);
        }
        text += fmt::format("| {}{} | {} | {} | {} |\n", each.instruction,
                            each.node ? fmt::format(", operator {}", *each.node) : "", code(each.name), nodes,
                            each.source.empty() ? "" : code(each.source));
    }
    return text;
}

}  // namespace

std::string reductionPage(const Reduction& reduction, const ReduceSettings& settings) {
    const std::string model = settings.model.filename().string();
    std::string text = fmt::format("# {} fails with {}\n\n", code(model), remainingText(reduction));
    const std::string_view meaning = infoOf(reduction.kind).meaning;
    text += fmt::format("{}{}: {}.\n\n", static_cast<char>(std::toupper(meaning.front())), meaning.substr(1),
                        core::printable(reduction.report.message));
    text += fmt::format("`{}` contains only this part, with {}.\n\n```sh\n{}\n```\n\n", reduction.file,
                        inputsText(reduction), core::printable(failingCommand(reduction, settings)));
    text += smallerText(reduction);
    if (reduction.hasRecord) {
        text += "`part.etrecord` contains this part of the exported graph, with its Python source lines.\n\n";
    }
    if (!reduction.report.expected.empty() || !reduction.report.got.empty()) {
        text += fmt::format("| expected | got |\n|---|---|\n| {} | {} |\n\n", code(reduction.report.expected),
                            code(reduction.report.got));
    }
    text += operatorTable(reduction);
    text += fmt::format(
        "\nMade by {}: the smallest of {} candidates of method {}. The same part of the original:\n\n"
        "```sh\n{}\n```\n",
        versionsText(reduction, settings), reduction.candidates, code(reduction.method),
        core::printable(takingCommand(reduction, settings)));
    return text;
}

}  // namespace et::tasks
