#include "app/studio/sql/sql_panel.h"

#include "app/studio/file_dialog.h"
#include "app/studio/panel_export.h"
#include "app/studio/sql/answer_choice.h"
#include "app/studio/sql/sql_examples.h"
#include "app/studio/sql/table_tree.h"
#include "visualizers/notes/note_model.h"
#include "visualizers/open_session.h"
#include "visualizers/results.h"
#include "visualizers/selection.h"
#include "visualizers/sql/answer_chart.h"
#include "visualizers/sql/answer_model.h"
#include "visualizers/sql/sql_editor.h"
#include "visualizers/toolkit/splitter.h"
#include "visualizers/toolkit/text.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDataStream>
#include <QFile>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QScrollArea>
#include <QSettings>
#include <QTabWidget>
#include <QTableView>
#include <QToolBar>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace et::studio {

namespace {

using inspector::format::Format;

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
      columns(new QComboBox(this)),
      status(new QLabel(this)),
      splitter(new visualizers::Splitter(this)),
      halves(new visualizers::Splitter(Qt::Vertical, this)),
      history(new QMenu(this)) {
    auto* const tools = new QToolBar(this);
    createActions(*tools);
    createMenus(*tools);
    halves->addWidget(text);
    halves->addWidget(createAnswer());
    halves->setStretchFactor(1, 2);
    splitter->addWidget(createTables());
    splitter->addWidget(halves);
    splitter->setStretchFactor(1, 1);
    splitter->setSizes({220, 900});
    halves->setSizes({170, 430});
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(tools);
    layout->addWidget(splitter, 1);
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
    columns->setObjectName(QStringLiteral("chartColumn"));
    columns->setToolTip(QStringLiteral("Column to plot"));
    answerBox->setToolTip(QStringLiteral("Result of each statement"));
    connect(answerBox, &QComboBox::activated, this, &SqlPanel::showResult);
    connect(columns, &QComboBox::activated, this, &SqlPanel::showColumn);
    connect(views, &QTabWidget::currentChanged, this, [this] { updateActions(); });
    auto* const page = new QWidget(this);
    status->setObjectName(QStringLiteral("sqlStatus"));
    status->setTextFormat(Qt::PlainText);
    status->setTextInteractionFlags(Qt::TextSelectableByMouse);
    status->setWordWrap(true);
    status->setMargin(6);
    auto* const layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(status);
    layout->addWidget(views, 1);
    return page;
}

QAction* SqlPanel::addCommand(const QString& name, const QKeySequence& key, void (SqlPanel::*slot)()) {
    auto* const action = new QAction(name, this);
    action->setShortcut(key);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(action, &QAction::triggered, this, slot);
    addAction(action);
    return action;
}

void SqlPanel::createActions(QToolBar& tools) {
    runAction =
        addCommand(QStringLiteral("&Run Query"), QKeySequence(Qt::CTRL | Qt::Key_Return), &SqlPanel::execute);
    stopAction =
        addCommand(QStringLiteral("&Stop Query"), QKeySequence(Qt::CTRL | Qt::Key_Period), &SqlPanel::stop);
    tsvAction = addCommand(QStringLiteral("&Copy Result as TSV"),
                           QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C), &SqlPanel::copyTsv);
    markdownAction = addCommand(QStringLiteral("Copy Result as &Markdown"), {}, &SqlPanel::copyMarkdown);
    saveAction = addCommand(QStringLiteral("Save &Result…"), {}, &SqlPanel::chooseFile);
    tools.addActions({runAction, stopAction});
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
    QByteArray state;
    QDataStream out(&state, QIODevice::WriteOnly);
    out << splitter->saveState() << halves->saveState();
    return state;
}

void SqlPanel::restoreState(const QByteArray& state) {
    QByteArray across;
    QByteArray down;
    QDataStream in(state);
    in >> across >> down;
    splitter->restoreState(across);
    halves->restoreState(down);
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
