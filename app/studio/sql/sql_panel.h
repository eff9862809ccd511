#pragma once

#include "app/studio/panel.h"
#include "app/studio/sql/sql_runner.h"

#include <filesystem>
#include <memory>
#include <vector>

class QComboBox;
class QLabel;
class QMenu;
class QTabWidget;
class QTableView;
class QToolBar;
class QTreeWidget;

namespace et::visualizers {
class AnswerChart;
class AnswerModel;
class SqlEditor;
}  // namespace et::visualizers

namespace et::studio {

/// Panel for queries of the session's tables, the same as in `et-inspect sql`.
class SqlPanel : public Panel {
    Q_OBJECT

  public:
    SqlPanel(const PanelContext& context, QWidget* parent);

    [[nodiscard]] bool hasContent() const override;
    void find() override;
    [[nodiscard]] QByteArray saveState() const override;

    [[nodiscard]] visualizers::SqlEditor& editor() { return *text; }
    [[nodiscard]] visualizers::AnswerModel& model() { return *answers; }
    [[nodiscard]] bool busy() const { return runner->running(); }

  private:
    QWidget* createTables();
    QWidget* createAnswer();
    void createActions(QToolBar& tools);
    void createMenus(QToolBar& tools);
    void takeSession();
    void execute();
    void stop();
    void take(const SqlAnswer& answer);
    void showResult(int which);
    void showColumn(int which);
    void fillHistory();
    void remember(const QString& sql);
    void choose(const QModelIndex& cell);
    void copyTsv();
    void copyMarkdown();
    void chooseFile();
    void saveAs(const QString& file);
    void updateActions();
    void updateSources();

    const visualizers::OpenSession& opened;
    visualizers::Selection& chosen;
    visualizers::Results& results;
    visualizers::NoteModel& notes;
    QSettings& store;
    /// Sources of the next query's tables, other than the session and its gap.
    std::shared_ptr<const std::vector<bundled_program::CaseReport>> asked;
    std::uint64_t askedNotes = 0;
    SqlRunner* runner;
    std::shared_ptr<const SqlAnswer> last;  ///< null: none
    visualizers::SqlEditor* text;
    visualizers::AnswerModel* answers;
    visualizers::AnswerChart* chart;
    QTableView* table;
    QTabWidget* views;
    QComboBox* answerBox;
    QComboBox* columns;
    QLabel* status;
    QMenu* history;
    QAction* runAction = nullptr;
    QAction* stopAction = nullptr;
    QAction* tsvAction = nullptr;
    QAction* markdownAction = nullptr;
    QAction* saveAction = nullptr;
};

}  // namespace et::studio
