#pragma once

#include "visualizers/source/code_view.h"
#include "visualizers/source/source_base.h"

#include <QWidget>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

class QLabel;
class QLineEdit;
class QToolBar;

namespace et::visualizers {

class ReportTable;
class Splitter;

/// A file as it was found, or why there is none.
struct SourceText {
    std::string recorded{};  ///< its path where the model was exported
    std::string file{};      ///< where it is here; empty: not found
    std::string text{};
    std::string problem{};  ///< that kept it from being read
};

/// The Python that a model was made of: the stacks of the selection, and the file of one of their lines with
/// what each line took. Follows and sets the shared selection. Finding and reading files is its owner's
/// business.
class SourceView : public QWidget {
    Q_OBJECT

  public:
    /// `selection` must outlive the view.
    explicit SourceView(Selection& selection, QWidget* parent = nullptr);

    /// Null shows nothing.
    void setBase(std::shared_ptr<const SourceBase> shown);
    /// The file that fileWanted() asked for; of another one nothing is taken.
    void setText(const SourceText& found);
    /// Asks for the file that is shown once more.
    void reload();

    [[nodiscard]] CodeView& code() { return *codeView; }
    [[nodiscard]] ReportTable& files() { return *fileRows; }
    [[nodiscard]] ReportTable& stacks() { return *stackRows; }
    /// Recorded path of the file that is shown; empty: none.
    [[nodiscard]] const std::string& shownFile() const { return path; }
    void focusFilter();

    [[nodiscard]] QByteArray saveState() const;
    void restoreState(const QByteArray& state);

  signals:
    /// The text of a file is needed, by its recorded path.
    void fileWanted(const std::string& recorded);

  private:
    /// A row of the stacks: a place in a file, or a heading.
    struct StackRow {
        std::string path{};
        std::int64_t line = 0;
    };

    QWidget* createSide();
    QWidget* createCode();
    void connectViews();
    void showFiles();
    void showSelection();
    void showStacks(bool mayMove);
    void showFile(const std::string& recorded, std::int64_t line);
    void showNotes();
    void markLines(bool scroll);
    void showHead();
    void chooseLine(std::int64_t number);
    void copyPlace();
    [[nodiscard]] std::vector<CodeLine> knownLines() const;
    [[nodiscard]] QString differences() const;
    [[nodiscard]] const inspector::SourceIndex* index() const;
    [[nodiscard]] const inspector::SourceFile* file() const;

    Selection& chosen;
    std::shared_ptr<const SourceBase> base;
    SelectedStacks selected;
    std::vector<StackRow> stackPlaces;  ///< by row
    std::string path;                   ///< of the file that is shown
    std::int64_t wantedLine = 0;        ///< to show when its text is there
    std::optional<SourceText> text;     ///< of that file; nothing: on its way
    Splitter* split;
    QLineEdit* filter;
    ReportTable* stackRows;
    ReportTable* fileRows;
    QLabel* head;
    CodeView* codeView;
    bool choosing = false;  ///< what comes back from the selection is what this view has set
};

}  // namespace et::visualizers
