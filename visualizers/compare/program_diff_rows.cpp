#include "visualizers/compare/program_diff_rows.h"

#include "inspector/program_diff/program_diff_lines.h"

#include <string>
#include <utility>

namespace et::visualizers {

namespace {

using inspector::DiffLine;
using inspector::DiffPart;
using inspector::DiffSection;

class DiffRows {
  public:
    DiffRows() {
        for (const char* const header : {"what", "change", "A", "B"}) {
            out.rows.table.columns.push_back({.id = header, .header = std::string(header)});
        }
    }

    void add(const DiffPart& part) {
        method = part.name;
        const std::string name = part.name.empty() ? std::string("program") : part.name;
        const std::size_t top = row({}, name, std::string(traits(part.change).name), {}, {});
        for (const DiffSection& section : part.sections) {
            const std::size_t heading = row(top, section.title, {}, {}, {});
            for (const DiffLine& line : section.lines) {
                add(heading, line);
            }
        }
    }
    [[nodiscard]] ProgramDiffRows take() && { return std::move(out); }

  private:
    void add(std::size_t parent, const DiffLine& line) {
        const std::string_view change = line.moved && line.change == inspector::Change::Same
                                            ? std::string_view("moved")
                                            : traits(line.change).name;
        const std::size_t here = row(parent, line.what, std::string(change), line.before, line.after);
        if (line.instruction) {
            out.operators.back() = OperatorRef{.method = method, .instruction = *line.instruction};
        }
        for (const inspector::AttributeChange& detail : line.details) {
            row(here, detail.name, {}, detail.before, detail.after);
        }
        for (const DiffLine& inner : line.inside) {
            add(here, inner);
        }
    }
    std::size_t row(std::optional<std::size_t> parent, std::string what, std::string change,
                    std::string before, std::string after) {
        out.rows.table.rows.push_back({inspector::format::Cell(std::move(what)), std::move(change),
                                       std::move(before), std::move(after)});
        out.rows.parents.push_back(parent);
        out.operators.emplace_back();
        return out.operators.size() - 1;
    }

    ProgramDiffRows out;
    std::string method;
};

}  // namespace

ProgramDiffRows rowsOf(const inspector::ProgramDiff& diff) {
    DiffRows rows;
    for (const DiffPart& part : partsOf(diff, false)) {
        rows.add(part);
    }
    return std::move(rows).take();
}

}  // namespace et::visualizers
