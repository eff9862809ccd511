#include "visualizers/source/source_view.h"

#include "visualizers/debug_state.h"
#include "visualizers/source/source_rows.h"
#include "visualizers/toolkit/keyed_action.h"
#include "visualizers/toolkit/report_table.h"
#include "visualizers/toolkit/splitter.h"
#include "visualizers/toolkit/text.h"
#include "visualizers/toolkit/widgets.h"

#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QLineEdit>
#include <QScopedValueRollback>
#include <QTreeView>

#include <algorithm>
#include <ranges>
#include <set>
#include <string_view>
#include <utility>

namespace et::visualizers {

using inspector::NodeStack;
using inspector::PythonFrame;

namespace {

constexpr std::size_t maxStacks = 100;
constexpr int sourceMargin = 4;
constexpr int sideShare = 2;  // of the width, against 3 for the code
constexpr int codeShare = 3;

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r");
    return first == std::string_view::npos ? std::string_view()
                                           : text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// True if `name` is the path, or its last parts.
bool namesFile(std::string_view path, std::string_view name) {
    return !name.empty() && path.ends_with(name) &&
           (path.size() == name.size() || path[path.size() - name.size() - 1] == '/');
}

}  // namespace

SourceView::SourceView(Selection& selection, DebugState& debugger, QWidget* parent)
    : QWidget(parent),
      chosen(selection),
      debugged(debugger),
      split(new Splitter(this)),
      filter(new FilterField("sourceFilter", QStringLiteral("Find files, functions and lines"), this)),
      stackRows(new ReportTable(this)),
      fileRows(new ReportTable(this)),
      head(plainLabel("sourceHead", this, {.margin = sourceMargin, .selectable = true})),
      codeView(new CodeView(this)) {
    split->addParts({{createCode(), codeShare}, {createSide(), sideShare}});
    fillColumn(*this, {split});
    setFocusProxy(codeView);
    addActions(codeView->actions());
    keyedAction(*this, QStringLiteral("Copy &File and Line"), Qt::CTRL | Qt::SHIFT | Qt::Key_L,
                [this] { copyLocation(); });
    connectViews();
}

QWidget* SourceView::createCode() {
    auto* const page = new QWidget(this);
    codeView->setObjectName(QStringLiteral("code"));
    fillColumn(*page, {head, codeView});
    return page;
}

void SourceView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    split->setOrientation(width() < height() ? Qt::Vertical : Qt::Horizontal);
}

QWidget* SourceView::createSide() {
    auto* const page = new Splitter(Qt::Vertical, this);
    auto* const files = new QWidget(page);
    stackRows->setObjectName(QStringLiteral("stacks"));
    stackRows->setHint(
        QStringLiteral("Select an operator in any panel, or click a line, to see its Python stacks."));
    fileRows->setObjectName(QStringLiteral("sourceFiles"));
    fileRows->setHint(QStringLiteral("The ETRecord has no Python source."));
    fillColumn(*files, {filter, fileRows});
    page->addParts({{files, 1}, {stackRows, 2}});
    return page;
}

void SourceView::connectViews() {
    connect(filter, &QLineEdit::textChanged, this, [this](const QString& searched) {
        fileRows->setFilter(searched);
        stackRows->setFilter(searched);
    });
    fileRows->view().setTextElideMode(Qt::ElideLeft);  // the ends of paths differ
    connect(fileRows, &ReportTable::rowChosen, this, [this](std::size_t row) {
        const inspector::SourceIndex* const from = index();
        if (from != nullptr && row < from->files.size()) {
            const inspector::SourceFile& of = from->files[row];
            showFile(std::string(of.path), of.lines.empty() ? 0 : of.lines.front().number);
        }
    });
    connect(stackRows, &ReportTable::rowChosen, this, [this](std::size_t row) {
        if (const StackRow place = stackLocations[row]; !place.path.empty()) {
            showFile(place.path, place.line);
        }
    });
    connect(codeView, &CodeView::lineChosen, this, &SourceView::chooseLine);
    connect(&chosen, &Selection::currentChanged, this, &SourceView::showSelection);
    connect(&debugged, &DebugState::availableChanged, this, &SourceView::showDebugger);
    connect(&debugged, &DebugState::breakpointsChanged, this, &SourceView::showDebugger);
    connect(&debugged, &DebugState::pointChanged, this, &SourceView::showPoint);
    connect(codeView, &CodeView::breakpointToggled, this, [this](std::int64_t line) {
        debugged.toggle({.place = {}, .handles = {}, .file = path, .line = line});
    });
}

void SourceView::showDebugger() {
    if (!debugged.available()) {
        codeView->setDebugLines(std::nullopt);
        return;
    }
    DebugLines lines;
    for (const Breakpoint& each : debugged.breakpoints()) {
        if (each.line > 0 && namesFile(path, each.file)) {
            lines.breakpoints[each.line] = each.enabled;
        }
    }
    if (const auto& point = debugged.point(); point && namesFile(path, point->file)) {
        lines.current = point->line;
    }
    codeView->setDebugLines(std::move(lines));
}

/// Shows the line of the current instruction.
void SourceView::showPoint() {
    const auto& point = debugged.point();
    if (const inspector::SourceIndex* const from = index(); from != nullptr && point && point->line > 0) {
        const auto found = std::ranges::find_if(from->files, [&](const inspector::SourceFile& each) {
            return namesFile(each.path, point->file);
        });
        if (found != from->files.end()) {
            showFile(std::string(found->path), point->line);
        }
    }
    showDebugger();
}

void SourceView::setBase(std::shared_ptr<const SourceBase> shown) {
    base = std::move(shown);
    selected = {};
    path.clear();
    text.reset();
    codeView->setCode({});
    showFiles();
    showHead();
    if (!base) {
        stackRows->setRows({});
        return;
    }
    showSelection();
    if (const inspector::SourceIndex* const from = index(); path.empty() && from != nullptr) {
        const inspector::SourceFile& first = from->files.front();
        showFile(std::string(first.path), first.lines.front().number);
    }
}

const inspector::SourceIndex* SourceView::index() const {
    return base && selected.method < base->methods.size() ? &base->methods[selected.method] : nullptr;
}

const inspector::SourceFile* SourceView::file() const {
    return index() == nullptr ? nullptr : index()->file(path);
}

void SourceView::showFiles() {
    const inspector::SourceIndex* const from = index();
    fileRows->setRows(from == nullptr ? ReportRows{} : visualizers::fileRows(*from, base->timeScale));
}

void SourceView::showSelection() {
    if (base && !choosing) {
        showStacks(true);
    }
}

// A selection made in this view does not switch to another file.
void SourceView::showStacks(bool mayMove) {
    const std::size_t method = selected.method;
    selected = stacksOf(*base, chosen);
    if (selected.stacks.empty()) {
        selected.method = method;
    } else if (selected.method != method) {
        showFiles();
    }
    stackLocations.clear();
    for (std::size_t i = 0; i < std::min(selected.stacks.size(), maxStacks); ++i) {
        stackLocations.emplace_back();
        for (const auto& frame : selected.stacks[i].frames | std::views::reverse) {
            stackLocations.push_back({.path = std::string(frame.path), .line = frame.line});
        }
    }
    stackRows->setRows(visualizers::stackRows(selected.stacks, maxStacks));
    stackRows->view().expandAll();
    if (mayMove && !selected.stacks.empty()) {
        if (const auto own = inspector::ownFrame(selected.stacks.front().frames)) {
            showFile(std::string(own->path), own->line);
        }
    }
    markLines(mayMove);
}

void SourceView::showFile(const std::string& recorded, std::int64_t line) {
    wantedLine = line;
    if (recorded != path) {
        path = recorded;
        text.reset();
        codeView->setCode({});
        showHead();
        emit fileWanted(path);
        return;
    }
    if (text) {
        codeView->showLine(line);
    }
}

void SourceView::reload() {
    if (!path.empty()) {
        text.reset();
        emit fileWanted(path);
    }
}

void SourceView::setText(const SourceText& found) {
    if (found.recorded != path) {
        return;
    }
    text = found;
    codeView->setCode(found.file.empty() ? knownLines() : codeLines(found.text));
    showNotes();
    markLines(false);
    showDebugger();
    codeView->showLine(wantedLine);
    showHead();
}

// Lines of the file known from the record, with gaps between them.
std::vector<CodeLine> SourceView::knownLines() const {
    std::vector<CodeLine> lines;
    const inspector::SourceFile* const of = file();
    if (of == nullptr) {
        return lines;
    }
    std::int64_t last = 0;
    for (const inspector::SourceLine& line : of->lines) {
        if (line.number != last + 1) {
            lines.push_back({});
        }
        lines.push_back({.number = line.number, .text = toQString(line.code)});
        last = line.number;
    }
    return lines;
}

void SourceView::showNotes() {
    const inspector::SourceFile* const of = file();
    const inspector::SourceIndex* const from = index();
    codeView->setNotes(of == nullptr || from == nullptr ? std::map<std::int64_t, LineNote>()
                                                        : lineNotes(*from, *of, base->timeScale));
}

void SourceView::markLines(bool scroll) {
    std::set<std::int64_t> lines;
    for (const NodeStack& stack : selected.stacks) {
        for (const PythonFrame& frame : stack.frames) {
            if (frame.path == path) {
                lines.insert(frame.line);
            }
        }
    }
    codeView->setMarked(std::move(lines), false);
    if (scroll && text) {
        codeView->showLine(wantedLine);
    }
}

// Describes differences between the file and the exported version, using the code lines in the record.
QString SourceView::differences() const {
    const inspector::SourceFile* const of = file();
    if (of == nullptr || !text || !text->problem.empty()) {
        return {};
    }
    const std::vector<CodeLine> lines = codeLines(text->text);
    for (const inspector::SourceLine& line : of->lines) {
        const auto at = static_cast<std::size_t>(line.number) - 1;
        const std::string_view there = trimmed(line.code);
        if (line.number > 0 && !there.empty() &&
            (at >= lines.size() || lines[at].text.trimmed() != toQString(there))) {
            return QStringLiteral("This file differs from the exported version: line %1 was \"%2\"")
                .arg(line.number)
                .arg(toQString(there));
        }
    }
    return {};
}

void SourceView::showHead() {
    QStringList lines;
    if (!path.empty() && !text) {
        lines.append(QStringLiteral("%1: searching…").arg(toQString(path)));
    } else if (!path.empty() && text->file.empty()) {
        lines.append(toQString(path));
        lines.append(QStringLiteral(
            "File not found. Showing the lines stored in the ETRecord. Use Find File… to locate it; other "
            "files in the same folder are then found too."));
    } else if (!path.empty()) {
        lines.append(text->file == path
                         ? toQString(path)
                         : QStringLiteral("%1, found at %2").arg(toQString(path), toQString(text->file)));
        lines.append(differences());
    }
    if (text && !text->problem.empty()) {
        lines.append(toQString(text->problem));
    }
    if (base) {
        for (const std::string& problem : base->problems) {
            lines.append(toQString(problem));
        }
    }
    lines.removeAll(QString());
    head->setText(lines.join(u'\n'));
}

void SourceView::chooseLine(std::int64_t number) {
    const inspector::SourceFile* const of = file();
    const inspector::SourceLine* const line = of == nullptr ? nullptr : of->line(number);
    const inspector::SourceIndex* const from = index();
    if (line == nullptr || from == nullptr) {
        return;
    }
    wantedLine = number;
    {
        const QScopedValueRollback quiet(choosing, true);
        const std::string method(from->method);
        if (!line->handles.empty()) {
            chosen.setHandles(method, line->handles);
        } else if (!line->instructions.empty()) {
            chosen.setOperator({.method = method, .instruction = line->instructions.front()});
        }
    }
    showStacks(false);
}

void SourceView::copyLocation() {
    if (!path.empty()) {
        const std::string& shown = text && !text->file.empty() ? text->file : path;
        QApplication::clipboard()->setText(
            QStringLiteral("%1:%2").arg(toQString(shown)).arg(codeView->currentLine()));
    }
}

}  // namespace et::visualizers
