#pragma once

#include <QPlainTextEdit>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

class QTextBlock;

namespace et::visualizers {

class PythonHighlighter;

/// A line of code and its number in the file; 0 represents unknown lines.
struct CodeLine {
    std::int64_t number = 0;
    QString text;
};

/// Margin text of a line.
struct LineNote {
    QString time{};    ///< "1.25 ms"; empty: not measured
    double share = 0;  ///< fraction of the method's time, 0 to 1
    QString tip{};
};

/// Marks of the debugger by line number.
struct DebugLines {
    std::map<std::int64_t, bool> breakpoints{};  ///< whether each is enabled
    std::int64_t current = 0;                    ///< 0: none
};

/// Python code with line numbers and the time of each line in the margin. A click on a line with a note
/// selects it. While there is a debugger, a click at the left edge sets or deletes a breakpoint.
class CodeView : public QPlainTextEdit {
    Q_OBJECT

  public:
    explicit CodeView(QWidget* parent = nullptr);

    void setCode(const std::vector<CodeLine>& code);
    /// Notes by line number.
    void setNotes(std::map<std::int64_t, LineNote> shown);
    /// Lines of the selection; scrolls to the first if `scroll`.
    void setMarked(std::set<std::int64_t> lines, bool scroll);
    /// Shows the marks in a strip at the left edge; nothing: no debugger, so no strip.
    void setDebugLines(std::optional<DebugLines> lines);
    void showLine(std::int64_t number);

    [[nodiscard]] const std::optional<DebugLines>& debugLines() const { return debugged; }
    [[nodiscard]] const std::set<std::int64_t>& markedLines() const { return marked; }
    [[nodiscard]] const std::map<std::int64_t, LineNote>& lineNotes() const { return notes; }
    /// Number of the cursor's line; 0: none.
    [[nodiscard]] std::int64_t currentLine() const;
    /// Rectangle of a line in viewport pixels; empty if the line does not exist.
    [[nodiscard]] QRectF lineRect(std::int64_t number) const;
    /// The margin, for paint and mouse events.
    [[nodiscard]] QWidget& gutter() { return *margin; }

  signals:
    void lineChosen(std::int64_t number);
    /// The user wants to set or delete a breakpoint.
    void breakpointToggled(std::int64_t number);

  protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    bool eventFilter(QObject* object, QEvent* event) override;

  private:
    void paintGutter();
    void paintNote(QPainter& painter, const QRectF& row, const LineNote& note) const;
    void pressGutter(const QPointF& at);
    void placeGutter();
    void mark();
    void createActions();
    void jump(int step);
    void chooseLine(std::int64_t number);
    void showTip(const QPoint& position, const QPoint& global);
    [[nodiscard]] std::int64_t lineAt(double y) const;
    [[nodiscard]] QTextBlock blockOf(std::int64_t number) const;
    [[nodiscard]] int stripWidth() const;
    [[nodiscard]] int timeWidth() const;
    [[nodiscard]] int numberWidth() const;

    QWidget* margin;
    PythonHighlighter* highlighter;
    std::vector<std::int64_t> numbers;  ///< by block
    std::map<std::int64_t, LineNote> notes;
    std::set<std::int64_t> marked;
    std::optional<DebugLines> debugged;
};

}  // namespace et::visualizers
