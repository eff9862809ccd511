#pragma once

#include "app/studio/commands.h"

#include <QFrame>
#include <QList>
#include <QPointer>

class QLineEdit;
class QListWidget;

namespace et::studio {

/// An overlay that finds an action by a few letters of its name and triggers it: arrow keys select, Enter
/// triggers, Escape or a click elsewhere closes.
class CommandPalette : public QFrame {
    Q_OBJECT

  public:
    explicit CommandPalette(QWidget* window);

    /// Offers `commands`, except disabled ones.
    void open(const QList<Command>& commands);

    /// The current matches, best first.
    [[nodiscard]] QStringList offered() const;

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void showMatches();
    void choose();
    void dismiss();
    void place();

    QLineEdit* input;
    QListWidget* list;
    QList<Command> all;
    QList<QPointer<QAction>> actions;  ///< by row; null if a menu was rebuilt meanwhile
    QPointer<QWidget> before;          ///< had the focus before
};

}  // namespace et::studio
