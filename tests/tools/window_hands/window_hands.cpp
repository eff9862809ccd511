// Hands for a window in another process: Qt loads this into et-studio (QT_QPA_GENERIC_PLUGINS), where it
// clicks and types as a person would, and writes down what the window shows.
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

/// By its item in the menu; waits until it has the keys.
bool enterRoom(const QMainWindow& window, const QString& title) {
    const QString id = title.toLower();
    auto* const action = window.findChild<QAction*>(QStringLiteral("room/") + id);
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

/// The newest run's row.
QString runText(const QMainWindow& window) {
    const auto* const rows = window.findChild<QTreeView*>(QStringLiteral("runs"));
    QStringList cells;
    for (int column = 0; rows != nullptr && column < rows->model()->columnCount(); ++column) {
        cells.append(rows->model()->index(0, column).data().toString());
    }
    return cells.join(u' ');
}

/// Enters a room, presses F9, and writes down what `shown` says once it says one of `ends`.
void runIn(QMainWindow& window, const QString& room, const std::function<QString()>& shown,
           const QStringList& ends) {
    if (!enterRoom(window, room)) {
        std::printf("%s: no such room\n", qPrintable(room));
        return;
    }
    QTest::keyClick(window.focusWidget() != nullptr ? window.focusWidget() : &window, Qt::Key_F9);
    static_cast<void>(QTest::qWaitFor(
        [&] {
            const QString now = shown();
            return std::ranges::any_of(ends, [&](const QString& each) { return now.contains(each); });
        },
        patience));
    std::printf("%s: %s\n", qPrintable(room), qPrintable(shown().simplified()));
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
    window->activateWindow();  // as a window manager does
    static_cast<void>(QTest::qWaitForWindowActive(window));
    std::printf("window: %s\n", qPrintable(window->windowTitle()));
    runIn(*window, QStringLiteral("Tests"), [&] { return labelText(*window, QStringLiteral("testSummary")); },
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
        QTimer::singleShot(0, hands, work);  // as soon as there are events: the window opens first
        return hands;
    }
};

}  // namespace et::test

#include "window_hands.moc"
