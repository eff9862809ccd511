#pragma once

#include <QFrame>
#include <QStringList>

#include <functional>
#include <string>
#include <vector>

class QVBoxLayout;

namespace et::studio {

/// Errors and warnings about the session, as lines above the views. Non-modal: each line stays until it is
/// dismissed or replaced.
class NoticeBar : public QFrame {
    Q_OBJECT

  public:
    enum class Kind { Warning, Error, Note };

    explicit NoticeBar(QWidget* parent = nullptr);

    /// Replaces all lines of `kind`. Long lists are cut, with the number of omitted lines.
    void setNotices(Kind kind, const QStringList& lines);
    /// Adds a button to the last line, if there is any.
    void addButton(const QString& text, const std::function<void()>& run);
    /// The visible lines of `kind`, in order.
    [[nodiscard]] QStringList notices(Kind kind) const;

  private:
    void addLine(Kind kind, const QString& line);
    void removeLine(QWidget* line);

    QVBoxLayout* layoutOfLines;
};

/// Lines of file text for setNotices().
[[nodiscard]] QStringList noticeLines(const std::vector<std::string>& lines);

}  // namespace et::studio
