#pragma once

#include <QFrame>
#include <QStringList>

class QVBoxLayout;

namespace et::studio {

/// Lines above the views that say what went wrong or what to know before trusting the table. Nothing blocks:
/// each line can be dismissed by its button, and stays until then or until it is replaced.
class NoticeBar : public QFrame {
    Q_OBJECT

  public:
    enum class Kind { Warning, Error, Note };

    explicit NoticeBar(QWidget* parent = nullptr);

    /// Replaces all lines of `kind`. Many lines are cut with a count of the rest.
    void setNotices(Kind kind, const QStringList& lines);
    /// The lines of `kind` on screen, in order.
    [[nodiscard]] QStringList notices(Kind kind) const;

  private:
    void addLine(Kind kind, const QString& line);
    void removeLine(QWidget* line);

    QVBoxLayout* layoutOfLines;
};

}  // namespace et::studio
