#pragma once

#include <QObject>
#include <QString>

class QAction;
class QLabel;
class QMainWindow;
class QProgressBar;

namespace et::studio {

/// The status bar of the window: key figures of the session, and progress of loading or saving with a button
/// to cancel it.
class StatusLine : public QObject {
    Q_OBJECT

  public:
    explicit StatusLine(QMainWindow& window);

    void setFigures(const QString& text);
    void setBusy(bool busy);
    [[nodiscard]] QAction& cancelAction() { return *cancel; }

  private:
    QLabel* figures;
    QProgressBar* progress;
    QAction* cancel;
};

}  // namespace et::studio
