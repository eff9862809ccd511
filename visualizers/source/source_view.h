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

class DebugState;
class ReportTable;
class Splitter;

/// A source file, or the reason why it is missing.
struct SourceText {
    std::string recorded{};  ///< its path on the exporting machine
    std::string file{};      ///< its path on this machine; empty: not found
    std::string text{};
    std::string problem{};  ///< error that prevented reading it
};

/// Python source of a model: the stacks of the selection, and the file of one of their lines with the time of
/// each line. Follows and sets the shared selection. The owner finds and reads the files.
class SourceView : public QWidget {
    Q_OBJECT

  public:
    /// Both must outlive the view.
    SourceView(Selection& selection, DebugState& debugger, QWidget* parent = nullptr);

    /// Null shows nothing.
    void setBase(std::shared_ptr<const SourceBase> shown);
    /// The file requested by fileWanted(); any other file is ignored.
    void setText(const SourceText& found);
    /// Requests the current file again.
    void reload();

    [[nodiscard]] CodeView& code() { return *codeView; }
    [[nodiscard]] ReportTable& files() { return *fileRows; }
    [[nodiscard]] ReportTable& stacks() { return *stackRows; }
    /// Recorded path of the current file; empty: none.
    [[nodiscard]] const std::string& shownFile() const { return path; }

  signals:
    /// Requests the text of a file by its recorded path.
    void fileWanted(const std::string& recorded);

  protected:
    /// Places the lists below the code in a narrow view, else to its right.
    void resizeEvent(QResizeEvent* event) override;

  private:
    /// A row of the stacks: a file location or a heading.
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
    void showDebugger();
    void showPoint();
    void showHead();
    void chooseLine(std::int64_t number);
    void copyLocation();
    [[nodiscard]] std::vector<CodeLine> knownLines() const;
    [[nodiscard]] QString differences() const;
    [[nodiscard]] const inspector::SourceIndex* index() const;
    [[nodiscard]] const inspector::SourceFile* file() const;

    Selection& chosen;
    DebugState& debugged;
    std::shared_ptr<const SourceBase> base;
    SelectedStacks selected;
    std::vector<StackRow> stackLocations;  ///< by row
    std::string path;                      ///< recorded path of the current file
    std::int64_t wantedLine = 0;           ///< to show once the text has arrived
    std::optional<SourceText> text;        ///< text of that file; nothing: still loading
    Splitter* split;
    QLineEdit* filter;
    ReportTable* stackRows;
    ReportTable* fileRows;
    QLabel* head;
    CodeView* codeView;
    bool choosing = false;  ///< guards against the echo of this view's own change to the selection
};

}  // namespace et::visualizers
