#pragma once

#include <QKeySequence>
#include <QList>
#include <QObject>
#include <QString>

class QAction;

namespace et::studio {

class DebugSession;

/// Commands that control a debugger.
class DebugActions : public QObject {
    Q_OBJECT

  public:
    /// `of` must outlive this object.
    DebugActions(DebugSession& of, QObject* parent);

    /// In the order of the tool bar.
    [[nodiscard]] QList<QAction*> controls() const;
    /// The start command and the others, in the order of the menu; null: a separator.
    [[nodiscard]] QList<QAction*> menu(QAction* start) const;
    /// Whether the program can be started.
    void setStartable(bool can);

  signals:
    /// The user wants to start the program and to run it to the first breakpoint.
    void runWanted();

  private:
    QAction* add(const char* iconName, const QString& text, const QString& tip, const QKeySequence& key);
    QAction* addMove(const char* iconName, const QString& text, const QString& tip, const QKeySequence& key,
                     const char* command);
    void update();

    DebugSession& session;
    bool startable = false;
    QAction* go;
    QList<QAction*> forwards;   ///< next, into, out
    QList<QAction*> backwards;  ///< step back, into, run back
    QAction* pause;
    QAction* stop;
    QAction* restart;
};

}  // namespace et::studio
