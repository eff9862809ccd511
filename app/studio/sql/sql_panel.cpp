#include "app/studio/sql/sql_panel.h"

#include "app/studio/file_dialog.h"
#include "app/studio/panel_command.h"
#include "app/studio/panel_export.h"
#include "app/studio/sql/sql_examples.h"
#include "app/studio/sql/table_tree.h"
#include "app/studio/start_command.h"
#include "visualizers/notes/note_model.h"
#include "visualizers/open_session.h"
#include "visualizers/results.h"
#include "visualizers/selection.h"
#include "visualizers/sql/answer_chart.h"
#include "visualizers/sql/answer_model.h"
#include "visualizers/sql/sql_editor.h"
#include "visualizers/toolkit/splitter.h"
#include "visualizers/toolkit/text.h"
#include "visualizers/toolkit/widgets.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QFile>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QSettings>
#include <QTabWidget>
#include <QTableView>
#include <QToolBar>
#include <QToolButton>
#include <QTreeWidget>

#include <algorithm>
#include <array>
#include <optional>
#include <string>

namespace et::studio {

using inspector::format::Format;
using visualizers::AnswerModel;
using visualizers::OpenSession;
using visualizers::Selection;

namespace {

/// The method of a row, or the first one of the session.
std::string methodOf(const AnswerModel& answers, int row, const OpenSession& opened,
                     const Selection& chosen) {
    const QString named = answers.text(row, QStringLiteral("method"));
    if (!named.isEmpty()) {
        return named.toStdString();
    }
    const inspector::Session& session = *opened.session();
    if (chosen.currentOperator()) {
        return chosen.currentOperator()->method;
    }
    if (session.program != nullptr && !session.program->methods.empty()) {
        return std::string(session.program->methods.front().name);
    }
    return session.record != nullptr && !session.record->methods().empty() ? session.record->methods().front()
                                                                           : std::string("forward");
}

/// `events.event` is numbered across all blocks.
void chooseEvent(const OpenSession& opened, Selection& chosen, std::string, qint64 number) {
    auto left = static_cast<std::size_t>(number);
    const auto blocks =
        opened.blocks() == nullptr ? std::span<const inspector::Block>() : opened.blocks()->blocks();
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        if (left < blocks[i].events.size()) {
            chosen.setCurrent(visualizers::EventRef{.block = i, .event = left});
            return;
        }
        left -= blocks[i].events.size();
    }
}

void chooseInstruction(const OpenSession&, Selection& chosen, std::string method, qint64 number) {
    chosen.setOperator(
        {.method = std::move(method), .instruction = core::InstructionId(static_cast<std::int32_t>(number))});
}

void chooseHandle(const OpenSession&, Selection& chosen, std::string method, qint64 number) {
    chosen.setHandles(std::move(method), {core::DebugHandle(number)});
}

/// A column whose numbers identify something that can be selected.
struct ChoiceInfo {
    const char* column;
    void (*choose)(const OpenSession& opened, Selection& chosen, std::string method, qint64 number);
};
constexpr std::array choices{
    ChoiceInfo{"event", chooseEvent},
    ChoiceInfo{"debug_handle", chooseHandle},
    ChoiceInfo{"instruction", chooseInstruction},
};

/// Selects the subject of a row: by the cell's own column if it is `event`, `instruction` or `debug_handle`,
/// else by the first of these columns in the row. Returns false if there is none.
bool chooseAnswer(const AnswerModel& answers, const QModelIndex& cell, const OpenSession& opened,
                  Selection& chosen) {
    if (!cell.isValid() || opened.session() == nullptr) {
        return false;
    }
    const QString own = answers.headerData(cell.column(), Qt::Horizontal, Qt::DisplayRole).toString();
    const ChoiceInfo* found = nullptr;
    std::optional<qint64> number;
    for (const ChoiceInfo& each : choices) {
        const QString column = QString::fromLatin1(each.column);
        const std::optional<qint64> has = answers.number(cell.row(), column);
        if (has && (found == nullptr || own == column)) {
            found = &each;
            number = has;
        }
    }
    if (found == nullptr || *number < 0) {
        return false;
    }
    found->choose(opened, chosen, methodOf(answers, cell.row(), opened, chosen), *number);
    return true;
}

const QString historyKey = QStringLiteral("sql/history");
const QString textKey = QStringLiteral("sql/text");
constexpr int maxRemembered = 30;
constexpr int widestColumn = 420;
constexpr int rowsToMeasure = 200;

/// The beginning of a query, on one line.
QString abbreviate(const QString& sql) {
    constexpr int maxLetters = 80;
    return sql.simplified().left(maxLetters);
}

}  // namespace

SqlPanel::SqlPanel(const PanelContext& context, QWidget* parent)
    : Panel(parent),
      opened(context.opened),
      chosen(context.selection),
      results(context.results),
      notes(context.notes),
      store(context.settings),
      runner(new SqlRunner(this)),
      text(new visualizers::SqlEditor(this)),
      answers(new visualizers::AnswerModel(this)),
      chart(new visualizers::AnswerChart(*answers, this)),
      table(new QTableView(this)),
      views(new QTabWidget(this)),
      answerBox(new QComboBox(this)),
      columns(visualizers::choiceBox("chartColumn", QStringLiteral("Column to plot"), this)),
      status(visualizers::plainLabel("sqlStatus", this, {.margin = 6, .selectable = true})),
      history(new QMenu(this)) {
    auto* const tools = new QToolBar(this);
    createActions(*tools);
    createMenus(*tools);
    auto* const splitter = new visualizers::Splitter(this);
    auto* const halves = new visualizers::Splitter(Qt::Vertical, this);
    halves->addParts({{text, 0}, {createAnswer(), 2}});
    splitter->addParts({{createTables(), 0}, {halves, 1}});
    splitter->setSizes({220, 900});
    halves->setSizes({170, 430});
    visualizers::fillColumn(*this, {tools, splitter});
    setFocusProxy(text);
    text->setPlainText(store.value(textKey, QString::fromLatin1(sqlExamples.front().sql)).toString());
    connect(text, &visualizers::SqlEditor::runRequested, this, &SqlPanel::execute);
    connect(runner, &SqlRunner::finished, this, &SqlPanel::take);
    connect(&opened, &visualizers::OpenSession::changed, this, &SqlPanel::takeSession);
    connect(&results, &visualizers::Results::gapChanged, this, &SqlPanel::takeSession);
    takeSession();
}

QWidget* SqlPanel::createTables() {
    QTreeWidget* const tree = createTableTree(this);
    connect(tree, &QTreeWidget::itemActivated, this, [this](const QTreeWidgetItem* item) {
        text->insertPlainText(item->text(0));
        text->setFocus();
    });
    return tree;
}

QWidget* SqlPanel::createAnswer() {
    table->setObjectName(QStringLiteral("answer"));
    table->setModel(answers);
    table->setAlternatingRowColors(true);
    table->setWordWrap(false);
    table->setFrameShape(QFrame::NoFrame);
    table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
    table->horizontalHeader()->setHighlightSections(false);
    connect(table, &QTableView::doubleClicked, this, &SqlPanel::choose);
    auto* const scroll = new QScrollArea(this);
    scroll->setWidget(chart);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    views->setDocumentMode(true);
    views->addTab(table, QStringLiteral("Table"));
    views->addTab(scroll, QStringLiteral("Chart"));
    auto* const corner = new QWidget(views);
    auto* const cornerLayout = new QHBoxLayout(corner);
    cornerLayout->setContentsMargins(0, 0, 0, 0);
    cornerLayout->addWidget(answerBox);
    cornerLayout->addWidget(columns);
    views->setCornerWidget(corner);
    answerBox->setToolTip(QStringLiteral("Result of each statement"));
    connect(answerBox, &QComboBox::activated, this, &SqlPanel::showResult);
    connect(columns, &QComboBox::activated, this, &SqlPanel::showColumn);
    connect(views, &QTabWidget::currentChanged, this, [this] { updateActions(); });
    auto* const page = new QWidget(this);
    visualizers::fillColumn(*page, {status, views});
    return page;
}

void SqlPanel::createActions(QToolBar& tools) {
    runAction = addCommand(*this, QStringLiteral("&Run Query"), QKeySequence(Qt::CTRL | Qt::Key_Return),
                           &SqlPanel::execute);
    tsvAction = addCommand(*this, QStringLiteral("&Copy Result as TSV"),
                           QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C), &SqlPanel::copyTsv);
    markdownAction =
        addCommand(*this, QStringLiteral("Copy Result as &Markdown"), {}, &SqlPanel::copyMarkdown);
    saveAction = addCommand(*this, QStringLiteral("Save &Result…"), {}, &SqlPanel::chooseFile);
    tools.addWidget(buttonFor(*runAction, &tools));
    stopAction = addStop(*this, tools, QStringLiteral("&Stop Query"), &SqlPanel::stop);
    tools.addSeparator();
}

void SqlPanel::createMenus(QToolBar& tools) {
    auto* const examples = new QMenu(QStringLiteral("Examples"), this);
    examples->menuAction()->setObjectName(QStringLiteral("sqlExamples"));
    for (const SqlExample& example : sqlExamples) {
        examples->addAction(QString::fromUtf8(example.title), this, [this, &example] {
            text->setPlainText(QString::fromLatin1(example.sql));
            execute();
        });
    }
    history->setTitle(QStringLiteral("History"));
    connect(history, &QMenu::aboutToShow, this, &SqlPanel::fillHistory);
    for (QMenu* const menu : {examples, history}) {
        auto* const button = new QToolButton(&tools);
        button->setText(menu->title());
        button->setMenu(menu);
        button->setPopupMode(QToolButton::InstantPopup);
        button->setToolButtonStyle(Qt::ToolButtonTextOnly);
        tools.addWidget(button);
    }
    tools.addSeparator();
    tools.addActions({tsvAction, markdownAction, saveAction});
}

bool SqlPanel::hasContent() const {
    return opened.session() != nullptr;
}

void SqlPanel::find() {
    text->setFocus(Qt::ShortcutFocusReason);
    text->selectAll();
}

QByteArray SqlPanel::saveState() const {
    store.setValue(textKey, text->toPlainText());
    return Panel::saveState();
}

void SqlPanel::takeSession() {
    updateSources();
    last = nullptr;
    answerBox->clear();
    answers->setTable(nullptr);
    columns->clear();
    status->setText(hasContent()
                        ? QStringLiteral("Ctrl+Enter runs the query. Tables are listed on the left.")
                        : QStringLiteral("Open a program, trace, ETRecord or session to query it with SQL."));
    updateActions();
}

void SqlPanel::updateSources() {
    asked = results.verdicts();
    askedNotes = notes.revision();
    runner->setSources({.session = opened.session(),
                        .gap = results.wholeGap(),
                        .verdicts = asked,
                        .notes = notes.worthSaving()});
}

void SqlPanel::execute() {
    if (asked != results.verdicts() || askedNotes != notes.revision()) {
        updateSources();
    }
    const QString sql = text->chosenText();
    if (!hasContent() || sql.trimmed().isEmpty()) {
        return;
    }
    remember(sql);
    text->showError(std::nullopt);
    status->setText(QStringLiteral("Running…"));
    runner->run(sql);
    updateActions();
}

void SqlPanel::stop() {
    runner->cancel();
}

void SqlPanel::take(const SqlAnswer& answer) {
    last = std::make_shared<SqlAnswer>(answer);
    answerBox->clear();
    for (std::size_t i = 0; i < answer.results->size(); ++i) {
        answerBox->addItem(QStringLiteral("Result %1 of %2").arg(i + 1).arg(answer.results->size()));
    }
    if (!answer.problem.isEmpty()) {
        const std::size_t from =
            text->textCursor().hasSelection()
                ? static_cast<std::size_t>(
                      text->toPlainText().left(text->textCursor().selectionStart()).toUtf8().size())
                : 0;
        text->showError(answer.offset.transform([&](std::size_t at) { return from + at; }));
    }
    showResult(static_cast<int>(answer.results->size()) - 1);
}

void SqlPanel::showResult(int which) {
    columns->clear();
    if (which < 0) {
        answers->setTable(nullptr);
        status->setText(last->problem.isEmpty() ? QStringLiteral("No result rows.")
                                                : QStringLiteral("⚠ %1").arg(last->problem));
        updateActions();
        return;
    }
    const inspector::store::QueryResult& result = (*last->results)[static_cast<std::size_t>(which)];
    answerBox->setCurrentIndex(which);
    answers->setTable({last->results, &result.table});
    for (int i = 0; i < answers->columnCount(); ++i) {
        if (result.table.columns[static_cast<std::size_t>(i)].numeric && answers->rowCount() > 0) {
            columns->addItem(answers->headerData(i, Qt::Horizontal, Qt::DisplayRole).toString(), i);
        }
    }
    table->horizontalHeader()->setResizeContentsPrecision(rowsToMeasure);
    table->resizeColumnsToContents();
    for (int i = 0; i < answers->columnCount(); ++i) {
        table->setColumnWidth(i, std::min(table->columnWidth(i), widestColumn));
    }
    showColumn(columns->count() > 0 ? columns->currentIndex() : -1);
    const QString rows =
        visualizers::counted(result.table.rows.size(), QStringLiteral("1 row"), QStringLiteral("%1 rows"));
    const QString more = result.complete ? QString() : QStringLiteral(" (truncated)");
    status->setText(QStringLiteral("%1%2 in %3 ms").arg(rows, more).arg(last->took.count()));
    updateActions();
}

void SqlPanel::showColumn(int which) {
    chart->setColumn(which < 0 ? -1 : columns->itemData(which).toInt());
}

void SqlPanel::remember(const QString& sql) {
    QStringList known = store.value(historyKey).toStringList();
    known.removeAll(sql);
    known.prepend(sql);
    store.setValue(historyKey, QStringList(known.mid(0, maxRemembered)));
}

void SqlPanel::fillHistory() {
    history->clear();
    const QStringList known = store.value(historyKey).toStringList();
    for (const QString& sql : known) {
        QAction* const action = history->addAction(abbreviate(sql).replace(u'&', QStringLiteral("&&")), this,
                                                   [this, sql] { text->setPlainText(sql); });
        action->setToolTip(sql);
    }
    if (known.isEmpty()) {
        history->addAction(QStringLiteral("No queries yet"))->setEnabled(false);
    }
}

void SqlPanel::choose(const QModelIndex& cell) {
    if (chooseAnswer(*answers, cell, opened, chosen)) {
        chosen.reveal();
    }
}

void SqlPanel::copyTsv() {
    if (answers->table() != nullptr) {
        QApplication::clipboard()->setText(
            QString::fromStdString(inspector::format::render(*answers->table(), Format::Tsv)));
    }
}

void SqlPanel::copyMarkdown() {
    if (answers->table() != nullptr) {
        QApplication::clipboard()->setText(
            QString::fromStdString(inspector::format::render(*answers->table(), Format::Markdown)));
    }
}

void SqlPanel::chooseFile() {
    chooseFileToSave(
        this, store,
        {.title = QStringLiteral("Save Result"), .filters = tableFilter(), .suffix = QStringLiteral("csv")},
        [this](const std::filesystem::path& file) { saveAs(QFile::decodeName(file.c_str())); });
}

void SqlPanel::saveAs(const QString& file) {
    if (answers->table() != nullptr) {
        emit noticed(writeTable(*answers->table(), file));
    }
}

void SqlPanel::updateActions() {
    const bool any = answers->table() != nullptr;
    runAction->setEnabled(hasContent());
    stopAction->setEnabled(busy());
    for (QAction* const action : {tsvAction, markdownAction, saveAction}) {
        action->setEnabled(any);
    }
    answerBox->setVisible(answerBox->count() > 1);
    columns->setVisible(views->currentIndex() == 1 && columns->count() > 0);
}

}  // namespace et::studio
