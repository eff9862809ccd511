#pragma once

#include "app/studio/run_process.h"

#include <QPlainTextEdit>

#include <cstddef>
#include <deque>
#include <span>

namespace et::studio {

/// A line as it was added to a log.
struct LoggedLine {
    RunLine line;
    bool replacesLast = false;  ///< it replaced the previous line
};

/// The last lines printed by a run.
class RunLog {
  public:
    static constexpr std::size_t maxLines = 10'000;
    static constexpr qsizetype maxCharacters = qsizetype{1} << 20;
    /// Beyond this number, a progress line replaces the previous one, so that hours of progress do not
    /// displace all other lines.
    static constexpr std::size_t maxProgress = 1'000;

    /// Returns how the line was added.
    LoggedLine add(const RunLine& line);
    [[nodiscard]] const std::deque<RunLine>& lines() const { return kept; }

  private:
    void dropFirst();

    std::deque<RunLine> kept;
    std::size_t progressLines = 0;
    qsizetype characters = 0;
};

/// Shows a growing log: follows its end unless the user has scrolled up.
class RunLogView : public QPlainTextEdit {
    Q_OBJECT

  public:
    explicit RunLogView(QWidget* parent = nullptr);

    void setLog(const RunLog& log);
    /// Adds lines that follow those of setLog().
    void add(std::span<const LoggedLine> lines);
    void copyAll() const;

  private:
    void write(QTextCursor& at, const LoggedLine& logged);

    bool isFollowing = true;
    bool hasLines = false;
};

}  // namespace et::studio
