#pragma once

#include "app/studio/commands.h"

#include <QFrame>
#include <QList>
#include <QPointer>

class QLineEdit;
class QListWidget;

namespace et::studio {

/// A box over the window that finds an action by a few letters of its name and triggers it: arrows choose,
/// Enter triggers, Escape or a click elsewhere closes.
class CommandPalette : public QFrame {
    Q_OBJECT

  public:
    explicit CommandPalette(QWidget* window);

    /// Offers `commands`, of which those that are disabled are left out.
    void open(const QList<Command>& commands);

    /// What is offered for what is typed now, best first.
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
    QList<QPointer<QAction>> actions;  ///< of the rows; null: a menu was filled anew meanwhile
    QPointer<QWidget> before;          ///< had the focus
};

}  // namespace et::studio
