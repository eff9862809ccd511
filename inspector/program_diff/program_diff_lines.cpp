#include "inspector/program_diff/program_diff_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace et::inspector {
namespace {

Change changeOf(const BeforeAfter<std::uint64_t>& count) {
    if (!count.differ()) {
        return Change::Same;
    }
    return count.before == 0 ? Change::Added : count.after == 0 ? Change::Removed : Change::Changed;
}

/// "1856 bytes", without locale-dependent separators.
std::string bytesText(std::uint64_t bytes) {
    return fmt::format("{} bytes", bytes);
}

DiffLine bytesLine(std::string what, const BeforeAfter<std::uint64_t>& bytes) {
    DiffLine line{.change = bytes.differ() ? Change::Changed : Change::Same,
                  .what = std::move(what),
                  .before = bytesText(bytes.before),
                  .after = bytesText(bytes.after)};
    if (bytes.differ() && bytes.before > 0) {
        const double ratio = static_cast<double>(bytes.after) / static_cast<double>(bytes.before);
        line.after += fmt::format(" ({:+.1f} %)", (ratio - 1) * 100);
    }
    return line;
}

DiffLine countLine(const CountDiff& count) {
    return {.change = changeOf(count.count),
            .what = count.name,
            .before = fmt::to_string(count.count.before),
            .after = fmt::to_string(count.count.after)};
}

DiffLine slotLine(const SlotDiff& slot, std::string_view word) {
    return {.change = slot.change,
            .what = fmt::format("{} {}", word, slot.position),
            .before = slot.before,
            .after = slot.after,
            .details = slot.attributes};
}

/// "#3" for a step or delegate, "#3 -> #4" if its index changed.
template <class T>
std::string numberText(const T& item) {
    if (item.before && item.after && *item.before != *item.after) {
        return fmt::format("#{} -> #{}", *item.before, *item.after);
    }
    return fmt::format("#{}", item.after.value_or(item.before.value_or(0)));
}

std::string callsText(std::uint64_t calls) {
    return fmt::format("{} call{}", calls, calls == 1 ? "" : "s");
}

DiffLine stepLine(const StepDiff& step) {
    const std::string chain = step.chain == 0 ? "" : fmt::format("chain {} ", step.chain);
    return {.change = step.change,
            .moved = step.moved,
            .what = fmt::format("{} {}{}", step.name, chain, numberText(step)),
            .before = {},
            .after = {},
            .details = step.attributes};
}

DiffLine instructionLine(const StepDiff& step) {
    DiffLine line = stepLine(step);
    if (step.chain == 0 && step.before) {
        line.instruction = core::InstructionId(static_cast<std::int32_t>(*step.before));
    }
    return line;
}

std::string countsText(const std::vector<StepDiff>& steps) {
    std::string text;
    for (const Change change : {Change::Same, Change::Changed, Change::Added, Change::Removed}) {
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ",
                            std::ranges::count(steps, change, &StepDiff::change), traits(change).name);
    }
    const auto moved = std::ranges::count(steps, true, &StepDiff::moved);
    return moved == 0 ? text : fmt::format("{}, {} moved", text, moved);
}

DiffLine delegateLine(const DelegateDiff& delegate, bool all) {
    DiffLine line{.change = delegate.change,
                  .what = fmt::format("{} {}", delegate.backend, numberText(delegate)),
                  .before = delegate.before ? bytesText(delegate.payloadBytes.before) : "",
                  .after = delegate.after ? bytesText(delegate.payloadBytes.after) : ""};
    for (const AttributeChange& spec : delegate.compileSpecs) {
        line.details.push_back({"compile spec " + spec.name, spec.before, spec.after});
    }
    for (const CountDiff& kind : delegate.kinds) {
        if (all || kind.count.differ()) {
            line.details.push_back(
                {"nodes " + kind.name, fmt::to_string(kind.count.before), fmt::to_string(kind.count.after)});
        }
    }
    for (const StepDiff& node : delegate.nodes) {
        if (all || node.differs()) {
            line.inside.push_back(stepLine(node));
        }
    }
    return line;
}

DiffLine partitionLine(const PartitionDiff& partition) {
    DiffLine line{.change = partition.calls.differ() ? Change::Changed : Change::Same,
                  .what = partition.backend,
                  .before = callsText(partition.calls.before),
                  .after = callsText(partition.calls.after)};
    for (const CountDiff& each : partition.between) {
        if (each.count.differ()) {
            line.change = Change::Changed;
            line.details.push_back({"between them " + each.name, fmt::to_string(each.count.before),
                                    fmt::to_string(each.count.after)});
        }
    }
    return line;
}

DiffLine constantLine(const ConstantDiff& constant) {
    std::string after = fmt::format("{} of {} elements differ", constant.different, constant.elements);
    if (constant.maxAbsoluteDifference) {
        after += fmt::format(", max abs difference {:.4g}", *constant.maxAbsoluteDifference);
    }
    return {
        .change = Change::Changed, .what = constant.name, .before = constant.type, .after = std::move(after)};
}

class MethodLines {
  public:
    MethodLines(const MethodDiff& from, bool everything) : method(from), all(everything) {}

    DiffPart part() {
        out.name = method.name;
        out.change = method.change;
        add("inputs", method.inputs, [](const SlotDiff& slot) { return slotLine(slot, "input"); });
        add("outputs", method.outputs, [](const SlotDiff& slot) { return slotLine(slot, "output"); });
        // Delegates come first, because they explain most of the added and removed instructions.
        add("delegates", method.delegates,
            [this](const DelegateDiff& each) { return delegateLine(each, all); });
        add("partitions", method.partitions, partitionLine);
        add(fmt::format("instructions: {}", countsText(method.steps)), method.steps, instructionLine);
        add("operators", method.operators, countLine);
        addMemory();
        add("constants", method.constants, constantLine);
        return std::move(out);
    }

  private:
    template <class T, class Line>
    void add(std::string title, const std::vector<T>& items, Line line) {
        std::vector<DiffLine> lines;
        for (const T& item : items) {
            lines.push_back(line(item));
        }
        add(std::move(title), std::move(lines));
    }

    void add(std::string title, std::vector<DiffLine> lines) {
        if (!all) {
            std::erase_if(lines,
                          [](const DiffLine& line) { return line.change == Change::Same && !line.moved; });
        }
        if (!lines.empty()) {
            out.sections.push_back({.title = std::move(title), .lines = std::move(lines)});
        }
    }

    void addMemory() {
        std::vector<DiffLine> lines;
        for (const ArenaDiff& arena : method.arenas) {
            lines.push_back(bytesLine(fmt::format("planned, memory id {}", arena.id), arena.bytes));
        }
        if (method.arenas.size() > 1) {
            lines.push_back(bytesLine("planned in total", method.plannedBytes));
        }
        lines.push_back(bytesLine("constants", method.constantBytes));
        add("memory", std::move(lines));
    }

    const MethodDiff& method;
    bool all;
    DiffPart out;
};

/// One line per kind of change with count and total size, since names of data are hashes.
std::vector<DiffLine> summedData(const std::vector<NamedDataDiff>& data) {
    std::vector<DiffLine> lines;
    for (const Change change : {Change::Changed, Change::Added, Change::Removed}) {
        BeforeAfter<std::uint64_t> bytes{};
        std::size_t count = 0;
        for (const NamedDataDiff& each : data) {
            if (each.change == change) {
                ++count;
                bytes.before += each.bytes.before;
                bytes.after += each.bytes.after;
            }
        }
        if (count > 0) {
            lines.push_back({.change = change,
                             .what = fmt::format("{} names", count),
                             .before = change == Change::Added ? "" : bytesText(bytes.before),
                             .after = change == Change::Removed ? "" : bytesText(bytes.after)});
        }
    }
    return lines;
}

DiffPart programPart(const ProgramDiff& diff, bool all) {
    DiffPart part{.name = {}, .change = diff.same() ? Change::Same : Change::Changed, .sections = {}};
    DiffSection data{.title = "named data", .lines = {}};
    constexpr std::size_t readAtAGlance = 4;
    const bool isSummed = !all && diff.namedData.size() > readAtAGlance;
    if (isSummed) {
        data.lines = summedData(diff.namedData);
    }
    for (const NamedDataDiff& each : isSummed ? std::vector<NamedDataDiff>() : diff.namedData) {
        data.lines.push_back({.change = each.change,
                              .what = each.external ? each.name + " (outside the program)" : each.name,
                              .before = each.change == Change::Added ? "" : bytesText(each.bytes.before),
                              .after = each.change == Change::Removed ? "" : bytesText(each.bytes.after)});
    }
    if (!data.lines.empty()) {
        part.sections.push_back(std::move(data));
    }
    DiffSection sizes{.title = "sizes", .lines = {}};
    for (DiffLine line :
         {bytesLine("program", diff.fileBytes), bytesLine("segments within it", diff.segmentBytes)}) {
        if (all || line.change != Change::Same) {
            sizes.lines.push_back(std::move(line));
        }
    }
    if (!sizes.lines.empty()) {
        part.sections.push_back(std::move(sizes));
    }
    return part;
}

}  // namespace

std::vector<DiffPart> partsOf(const ProgramDiff& diff, bool all) {
    std::vector<DiffPart> parts;
    for (const MethodDiff& method : diff.methods) {
        if (all || method.change != Change::Same) {
            parts.push_back(MethodLines(method, all).part());
        }
    }
    if (DiffPart part = programPart(diff, all); !part.sections.empty()) {
        parts.push_back(std::move(part));
    }
    return parts;
}

std::string summaryOf(const ProgramDiff& diff) {
    if (diff.identical) {
        return "the same, byte for byte";
    }
    if (diff.same()) {
        return "the same: different bytes with the same meaning";
    }
    std::string text = "different";
    for (const MethodDiff& method : diff.methods) {
        if (method.change == Change::Added || method.change == Change::Removed) {
            text += fmt::format("; {} {}", method.name, traits(method.change).name);
        } else if (method.change == Change::Changed) {
            text += fmt::format("; {}: instructions {}", method.name, countsText(method.steps));
        }
    }
    return diff.namedData.empty() ? text : fmt::format("{}; named data {}", text, diff.namedData.size());
}

}  // namespace et::inspector
