#include "inspector/format/text_columns.h"
#include "inspector/program_diff/program_diff_lines.h"
#include "inspector/program_diff/program_diff_report.h"
#include "runtime/core/result.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <string_view>
#include <vector>

namespace et::inspector {
namespace {

constexpr std::size_t step = 2;  ///< indentation of a nested line, in blanks
constexpr std::size_t longestList = 30;

struct SignColour {
    char sign;
    std::string_view sequence;
};
constexpr std::string_view endColour = "\x1b[0m";
constexpr SignColour colours[] = {{'+', "\x1b[32m"}, {'-', "\x1b[31m"}, {'~', "\x1b[33m"}, {'>', "\x1b[36m"}};

class TextWriter {
  public:
    TextWriter(bool everything, format::Style how) : all(everything), style(how) {}

    void part(const DiffPart& part) {
        if (!part.name.empty()) {
            line(0, traits(part.change).sign,
                 fmt::format("method {}: {}", part.name, traits(part.change).name));
        }
        for (const DiffSection& section : part.sections) {
            write(fmt::format("{:{}}{}\n", "", part.name.empty() ? 0 : step, section.title));
            diffLines(section.lines, part.name.empty() ? step : 2 * step);
        }
    }

    /// Writes text that may contain names from files, with terminal control characters escaped.
    void write(std::string_view raw) {
        const bool ends = raw.ends_with('\n');
        text += core::printable(ends ? raw.substr(0, raw.size() - 1) : raw);
        text += ends ? "\n" : "";
    }

    [[nodiscard]] std::string take() && { return std::move(text); }

  private:
    void line(std::size_t indent, char sign, std::string_view content) {
        const auto* colour = std::ranges::find(colours, sign, &SignColour::sign);
        const bool coloured = style.colour && colour != std::end(colours);
        text.append(indent, ' ');
        text += coloured ? colour->sequence : "";
        write(fmt::format("{} {}", sign, content));
        text += coloured ? endColour : "";
        text += '\n';
    }

    void diffLines(const std::vector<DiffLine>& lines, std::size_t indent) {
        const std::size_t shown = all ? lines.size() : std::min(lines.size(), longestList);
        for (const DiffLine& each : std::span(lines).first(shown)) {
            diffLine(each, indent);
        }
        if (shown < lines.size()) {
            line(indent, ' ', fmt::format("... and {} more (--all lists them)", lines.size() - shown));
        }
    }

    void diffLine(const DiffLine& each, std::size_t indent) {
        const char sign = each.moved && each.change == Change::Same ? '>' : traits(each.change).sign;
        line(indent, sign, each.what + (each.moved ? " moved" : "") + valuesText(each.before, each.after));
        for (const AttributeChange& detail : each.details) {
            const std::string values = detail.before.empty()  ? fmt::format("now {}", detail.after)
                                       : detail.after.empty() ? fmt::format("no longer {}", detail.before)
                                       : detail.before == detail.after
                                           ? detail.before
                                           : fmt::format("{} -> {}", detail.before, detail.after);
            line(indent + step, ' ', fmt::format("{}: {}", detail.name, values));
        }
        diffLines(each.inside, indent + 2 * step);
    }

    static std::string valuesText(const std::string& before, const std::string& after) {
        if (before.empty() && after.empty()) {
            return {};
        }
        if (before.empty() || after.empty() || before == after) {
            return fmt::format(": {}", after.empty() ? before : after);
        }
        return fmt::format(": {} -> {}", before, after);
    }

    bool all;
    format::Style style;
    std::string text;
};

}  // namespace

std::string programDiffText(const ProgramDiff& diff, bool all, format::Style style) {
    TextWriter writer(all, style);
    for (const DiffPart& part : partsOf(diff, all)) {
        writer.part(part);
    }
    writer.write(fmt::format("{} -> {}: {}\n", diff.names.before, diff.names.after, summaryOf(diff)));
    return std::move(writer).take();
}

}  // namespace et::inspector
