// Qt plugin that simulates a user in another process: loaded into et-studio (QT_QPA_GENERIC_PLUGINS), it
// clicks and types and records what the window shows.
#include <QAbstractItemModel>
#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QGenericPlugin>
#include <QLabel>
#include <QMainWindow>
#include <QTest>
#include <QTimer>
#include <QTreeView>

#include <algorithm>
#include <cstdio>
#include <functional>

namespace et::test {
namespace {

constexpr int patience = 60'000;

QMainWindow* mainWindow() {
    for (QWidget* const each : QApplication::topLevelWidgets()) {
        if (auto* const window = qobject_cast<QMainWindow*>(each); window != nullptr && window->isVisible()) {
            return window;
        }
    }
    return nullptr;
}

/// Opens a panel from the menu and waits until it has the focus.
bool enterPanel(const QMainWindow& window, const QString& title) {
    const QString id = title.toLower();
    auto* const action = window.findChild<QAction*>(QStringLiteral("panel/") + id);
    const auto* const dock = window.findChild<QDockWidget*>(id);
    if (action == nullptr || dock == nullptr) {
        return false;
    }
    action->trigger();
    return QTest::qWaitFor([&] { return dock->isAncestorOf(QApplication::focusWidget()); }, patience);
}

QString labelText(const QMainWindow& window, const QString& name) {
    const auto* const label = window.findChild<QLabel*>(name);
    return label != nullptr ? label->text() : QString();
}

/// Row text of the newest run.
QString runText(const QMainWindow& window) {
    const auto* const rows = window.findChild<QTreeView*>(QStringLiteral("runs"));
    QStringList cells;
    for (int column = 0; rows != nullptr && column < rows->model()->columnCount(); ++column) {
        cells.append(rows->model()->index(0, column).data().toString());
    }
    return cells.join(u' ');
}

/// Opens a panel, presses F9, and records the text of `shown` once it contains one of `ends`.
void runIn(QMainWindow& window, const QString& panel, const std::function<QString()>& shown,
           const QStringList& ends) {
    if (!enterPanel(window, panel)) {
        std::printf("%s: no such panel\n", qPrintable(panel));
        return;
    }
    QTest::keyClick(window.focusWidget() != nullptr ? window.focusWidget() : &window, Qt::Key_F9);
    static_cast<void>(QTest::qWaitFor(
        [&] {
            const QString now = shown();
            return std::ranges::any_of(ends, [&](const QString& each) { return now.contains(each); });
        },
        patience));
    std::printf("%s: %s\n", qPrintable(panel), qPrintable(shown().simplified()));
}

void work() {
    static_cast<void>(QTest::qWaitFor(
        [] { return mainWindow() != nullptr && mainWindow()->windowTitle().contains(u'—'); }, patience));
    QMainWindow* const window = mainWindow();
    if (window == nullptr) {
        std::puts("no window");
        QCoreApplication::exit(1);
        return;
    }
    window->activateWindow();  // normally done by a window manager
    static_cast<void>(QTest::qWaitForWindowActive(window));
    std::printf("window: %s\n", qPrintable(window->windowTitle()));
    runIn(*window, QStringLiteral("Verify"),
          [&] { return labelText(*window, QStringLiteral("testSummary")); },
          {QStringLiteral("pass"), QStringLiteral("fail"), QStringLiteral("error")});
    runIn(*window, QStringLiteral("Run"), [&] { return runText(*window); },
          {QStringLiteral("done"), QStringLiteral("exit code"), QStringLiteral("not started")});
    runIn(*window, QStringLiteral("Gap"),
          [&] {
              return labelText(*window, QStringLiteral("gapSummary")) + u' ' +
                     labelText(*window, QStringLiteral("gapHint"));
          },
          {QStringLiteral("operators"), QStringLiteral("et-inspect")});
    QCoreApplication::exit(0);
}

}  // namespace

class WindowHands : public QGenericPlugin {
    Q_OBJECT
    Q_PLUGIN_METADATA(IID QGenericPluginFactoryInterface_iid FILE "window_hands.json")

  public:
    QObject* create(const QString& key, const QString&) override {
        if (key != QStringLiteral("window_hands")) {
            return nullptr;
        }
        auto* const hands = new QObject;
        QTimer::singleShot(0, hands, work);  // runs in the event loop, after the window has opened
        return hands;
    }
};

}  // namespace et::test

#include "window_hands.moc"
