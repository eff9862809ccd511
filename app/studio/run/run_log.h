#pragma once

#include "app/studio/run_process.h"

#include <QPlainTextEdit>

#include <cstddef>
#include <deque>
#include <span>

namespace et::studio {

/// A line of a log as it came.
struct LoggedLine {
    RunLine line;
    bool replacesLast = false;  ///< it took the place of the line before it
};

/// What a run has printed: its last lines.
class RunLog {
  public:
    static constexpr std::size_t maxLines = 10'000;
    static constexpr qsizetype maxCharacters = qsizetype{1} << 20;
    /// From then on a line of progress takes the place of the one before it, so that hours of it do not push
    /// out all else.
    static constexpr std::size_t maxProgress = 1'000;

    /// Says what became of it.
    LoggedLine add(const RunLine& line);
    [[nodiscard]] const std::deque<RunLine>& lines() const { return kept; }

  private:
    void dropFirst();

    std::deque<RunLine> kept;
    std::size_t progressLines = 0;
    qsizetype characters = 0;
};

/// Shows a log while it grows: follows its end unless a person has scrolled up.
class RunLogView : public QPlainTextEdit {
    Q_OBJECT

  public:
    explicit RunLogView(QWidget* parent = nullptr);

    void setLog(const RunLog& log);
    /// Lines that came after those of setLog().
    void add(std::span<const LoggedLine> lines);
    void copyAll() const;

  private:
    void write(QTextCursor& at, const LoggedLine& logged);

    bool isFollowing = true;
    bool hasLines = false;
};

}  // namespace et::studio
