#include "tests/studio/monkey.h"

#include "app/studio/command_palette.h"
#include "app/studio/commands.h"
#include "app/studio/panel_area.h"
#include "app/studio/perspectives.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QMenu>
#include <QMenuBar>
#include <QTest>
#include <QWheelEvent>
#include <QWindow>

#include <algorithm>
#include <array>
#include <utility>

namespace et::test {

namespace {

constexpr std::size_t diaryLength = 40;
constexpr int notch = 120;

const std::vector<Qt::Key>& plainKeys() {
    static const std::vector<Qt::Key> keys{
        Qt::Key_Up,    Qt::Key_Down,    Qt::Key_Left,  Qt::Key_Right,  Qt::Key_PageUp,    Qt::Key_PageDown,
        Qt::Key_Home,  Qt::Key_End,     Qt::Key_Tab,   Qt::Key_Return, Qt::Key_Space,     Qt::Key_Escape,
        Qt::Key_Plus,  Qt::Key_Minus,   Qt::Key_Comma, Qt::Key_Period, Qt::Key_Backspace, Qt::Key_Delete,
        Qt::Key_W,     Qt::Key_A,       Qt::Key_S,     Qt::Key_D,      Qt::Key_F,         Qt::Key_X,
        Qt::Key_N,     Qt::Key_P,       Qt::Key_E,     Qt::Key_0,      Qt::Key_F3,        Qt::Key_F5,
        Qt::Key_Slash, Qt::Key_Question};
    return keys;
}

/// Keys pressed with Ctrl, except those that leave the program.
const std::vector<Qt::Key>& controlKeys() {
    static const std::vector<Qt::Key> keys{
        Qt::Key_A, Qt::Key_C, Qt::Key_E, Qt::Key_F, Qt::Key_G, Qt::Key_I,    Qt::Key_J,     Qt::Key_L,
        Qt::Key_M, Qt::Key_W, Qt::Key_Z, Qt::Key_1, Qt::Key_2, Qt::Key_3,    Qt::Key_4,     Qt::Key_5,
        Qt::Key_6, Qt::Key_7, Qt::Key_8, Qt::Key_9, Qt::Key_0, Qt::Key_Plus, Qt::Key_Minus, Qt::Key_Tab};
    return keys;
}

bool leaves(const QString& text) {
    return text.contains(QStringLiteral("Quit"));
}

}  // namespace

Monkey::Monkey(studio::MainWindow& window, std::uint32_t seed, std::vector<std::filesystem::path> files)
    : main(window), random(seed), known(std::move(files)) {
    QObject::connect(&closer, &QTimer::timeout, [this] {
        closeDialogs();
        closeMenus();
    });
    closer.start(20);
}

void Monkey::note(const std::string& what) {
    if (done.size() == diaryLength) {
        done.erase(done.begin());
    }
    done.push_back(what);
}

void Monkey::step() {
    struct Choice {
        int weight;
        Action action;
    };
    static constexpr std::array choices{
        Choice{30, &Monkey::click},    Choice{15, &Monkey::drag},       Choice{15, &Monkey::wheel},
        Choice{25, &Monkey::key},      Choice{5, &Monkey::type},        Choice{12, &Monkey::command},
        Choice{4, &Monkey::openFiles}, Choice{8, &Monkey::enterPanel},  Choice{2, &Monkey::clickRail},
        Choice{2, &Monkey::floatPane}, Choice{2, &Monkey::findCommand}, Choice{2, &Monkey::resize},
        Choice{4, &Monkey::wait}};
    int all = 0;
    for (const Choice& choice : choices) {
        all += choice.weight;
    }
    int ticket = below(all);
    const auto* chosen = choices.begin();
    while (ticket >= chosen->weight) {
        ticket -= chosen->weight;
        ++chosen;
    }
    acts = true;
    (this->*chosen->action)();
    acts = false;
    QCoreApplication::processEvents();
    closeDialogs();
    if (!main.isVisible()) {
        main.show();
    }
    lookAround();
}

void Monkey::lookAround() {
    const studio::PanelArea& area = main.area();
    ++places[std::string("panel/").append(area.currentId())];
    ++places[std::string("perspective/") + area.perspective().id];
    const bool drawer = std::ranges::any_of(area.entries(), [&](const auto& entry) {
        return std::ranges::contains(area.perspective().bottom.panels, std::string_view(entry.info->id)) &&
               entry.inFront;
    });
    const bool floating =
        std::ranges::any_of(area.entries(), [](const auto& entry) { return entry.dock->isFloating(); });
    places["drawer"] += drawer ? 1 : 0;
    places["floating"] += floating ? 1 : 0;
}

Qt::KeyboardModifiers Monkey::modifiers() {
    static const std::vector<Qt::KeyboardModifiers> some{Qt::NoModifier,      Qt::NoModifier,
                                                         Qt::NoModifier,      Qt::ShiftModifier,
                                                         Qt::ControlModifier, Qt::AltModifier};
    return oneOf(some);
}

/// Returns the window that receives input: an open menu, otherwise the main window or sometimes a floating
/// pane.
QWindow* Monkey::target() {
    const QWidget* const popup = QApplication::activePopupWidget();
    QWindow* const handle = popup != nullptr ? popup->windowHandle() : nullptr;
    if (handle != nullptr) {
        return handle;
    }
    std::vector<QWindow*> floating;
    for (const studio::PanelArea::Entry& entry : main.area().entries()) {
        if (entry.dock->isFloating() && entry.dock->isVisible() && entry.dock->windowHandle() != nullptr) {
            floating.push_back(entry.dock->windowHandle());
        }
    }
    return floating.empty() || below(3) != 0 ? main.windowHandle() : oneOf(floating);
}

QPoint Monkey::place(const QWindow& in) {
    return {below(std::max(in.width(), 1)), below(std::max(in.height(), 1))};
}

void Monkey::click() {
    const QPointer<QWindow> window = target();
    const QPoint at = place(*window);
    static const std::vector<Qt::MouseButton> buttons{Qt::LeftButton, Qt::LeftButton,   Qt::LeftButton,
                                                      Qt::LeftButton, Qt::RightButton,  Qt::MiddleButton,
                                                      Qt::BackButton, Qt::ForwardButton};
    const Qt::MouseButton button = oneOf(buttons);
    note("click " + std::to_string(at.x()) + "," + std::to_string(at.y()) + " button " +
         std::to_string(static_cast<int>(button)));
    const Qt::KeyboardModifiers with = modifiers();
    if (below(6) == 0 && window == main.windowHandle()) {
        QTest::mouseDClick(window, button, with, at);
        return;
    }
    QTest::mousePress(window, button, with, at);
    if (window != nullptr) {  // null if the press closed a menu
        QTest::mouseRelease(window, button, with, at);
    }
}

void Monkey::drag() {
    const QPointer<QWindow> window = target();
    QPoint at = place(*window);
    const Qt::MouseButton button = below(4) == 0 ? Qt::MiddleButton : Qt::LeftButton;
    note("drag from " + std::to_string(at.x()) + "," + std::to_string(at.y()));
    QTest::mousePress(window, button, modifiers(), at);
    for (int moves = 1 + below(5); moves > 0 && window != nullptr; --moves) {
        at = place(*window);
        QTest::mouseMove(window, at);
        QCoreApplication::processEvents();
    }
    if (window != nullptr) {
        // Clamped to the window, which shrinks when its corner is dragged.
        const QPoint within(std::min(at.x(), window->width() - 1), std::min(at.y(), window->height() - 1));
        QTest::mouseRelease(window, button, Qt::NoModifier, within);
    }
}

/// Presses a key, which may delete the window (a menu or a floating pane).
template <class Key>
void Monkey::tap(Key key, Qt::KeyboardModifiers with) {
    const QPointer<QWindow> window = target();
    QTest::keyPress(window.data(), key, with);
    if (window != nullptr) {
        QTest::keyRelease(window.data(), key, with);
    }
}

void Monkey::wheel() {
    const QPoint at(below(std::max(main.width(), 1)), below(std::max(main.height(), 1)));
    QWidget* const under = main.childAt(at);
    if (under == nullptr) {
        return;
    }
    const int turns = (below(9) - 4) * notch;
    note("wheel " + std::to_string(turns) + " over " + under->metaObject()->className());
    QWheelEvent event(under->mapFrom(&main, at), main.mapToGlobal(at), {}, {0, turns}, Qt::NoButton,
                      modifiers(), Qt::NoScrollPhase, false);
    QApplication::sendEvent(under, &event);
}

void Monkey::key() {
    const bool control = below(4) == 0;
    const Qt::Key pressed = control ? oneOf(controlKeys()) : oneOf(plainKeys());
    const Qt::KeyboardModifiers with = control ? Qt::KeyboardModifiers(Qt::ControlModifier)
                                               : (below(6) == 0    ? Qt::KeyboardModifiers(Qt::ShiftModifier)
                                                  : below(10) == 0 ? Qt::KeyboardModifiers(Qt::AltModifier)
                                                                   : Qt::KeyboardModifiers(Qt::NoModifier));
    note("key " + std::to_string(pressed) + " with " + std::to_string(with.toInt()));
    for (int times = 1 + below(4); times > 0; --times) {
        // QTest sends the modifier as a separate key, which may close a menu before the other key is pressed
        // in it.
        tap(pressed, QApplication::activePopupWidget() == nullptr ? with : Qt::NoModifier);
    }
}

void Monkey::type() {
    static const std::vector<QString> texts{QStringLiteral("conv"), QStringLiteral("(["),
                                            QStringLiteral(".*"),   QStringLiteral("select name from events"),
                                            QStringLiteral("0"),    QStringLiteral("1e308"),
                                            QStringLiteral("\\"),   QStringLiteral("-5")};
    const QString text = oneOf(texts);
    note("type " + text.toStdString());
    for (const QChar letter : text) {
        tap(letter.toLatin1());
    }
}

void Monkey::command() {
    const QList<studio::Command> all = studio::collectCommands(*main.menuBar());
    const studio::Command& chosen = all[below(static_cast<int>(all.size()))];
    if (leaves(chosen.text)) {
        return;
    }
    note("command " + chosen.path.toStdString() + " › " + chosen.text.toStdString());
    chosen.action->trigger();
}

void Monkey::openFiles() {
    std::vector<std::filesystem::path> some;
    for (int count = 1 + below(4); count > 0; --count) {
        some.push_back(oneOf(known));
    }
    std::string names;
    for (const std::filesystem::path& path : some) {
        names += " " + path.filename().string();
    }
    note("open" + names);
    below(4) == 0 ? main.addTraces(some) : main.open(some);
    if (below(2) == 0) {
        wait();
    }
}

void Monkey::enterPanel() {
    const auto& panels = main.area().entries();
    const auto& panel = panels[static_cast<std::size_t>(below(static_cast<int>(panels.size())))];
    note(std::string("enter ") + panel.info->id);
    main.area().enter(*panel.panel);
}

void Monkey::clickRail() {
    std::vector<QAbstractButton*> buttons;
    for (QAbstractButton* const button : main.findChildren<QAbstractButton*>()) {
        if (button->objectName().startsWith(QStringLiteral("rail/")) && button->isVisible()) {
            buttons.push_back(button);
        }
    }
    if (!buttons.empty()) {
        QAbstractButton* const button = oneOf(buttons);
        note("click " + button->objectName().toStdString());
        ++places["rail"];
        QTest::mouseClick(button, Qt::LeftButton);
    }
}

/// Clicks the button of a title bar, which also docks a floating pane.
void Monkey::floatPane() {
    std::vector<QAbstractButton*> buttons;
    for (const studio::PanelArea::Entry& entry : main.area().entries()) {
        auto* const button =
            entry.dock->findChild<QAbstractButton*>(QStringLiteral("qt_dockwidget_floatbutton"));
        if (button != nullptr && button->isVisible()) {
            buttons.push_back(button);
        }
    }
    if (!buttons.empty()) {
        QAbstractButton* const button = oneOf(buttons);
        note("float or dock " + button->parent()->objectName().toStdString());
        QTest::mouseClick(button, Qt::LeftButton);
    }
}

void Monkey::findCommand() {
    static const std::vector<QString> words{
        QStringLiteral("fold"), QStringLiteral("reset"), QStringLiteral("sum"),    QStringLiteral("conv"),
        QStringLiteral("one"),  QStringLiteral("show"),  QStringLiteral("panels"), QStringLiteral("xyzzy")};
    const QString word = oneOf(words);
    const bool leavesIt = below(5) == 0;
    note("find the command " + word.toStdString());
    QTest::keyClick(main.windowHandle(), Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
    auto* const palette = main.findChild<studio::CommandPalette*>();
    if (!palette->isVisible()) {
        return;  // a menu captures the keys
    }
    ++places["palette"];
    for (const QChar letter : word) {
        QTest::keyClick(main.windowHandle(), letter.toLatin1());
    }
    for (int rows = below(4); rows > 0; --rows) {
        QTest::keyClick(main.windowHandle(), Qt::Key_Down);
    }
    const bool mayLeave = std::ranges::any_of(palette->offered(), leaves);
    QTest::keyClick(main.windowHandle(), leavesIt || mayLeave ? Qt::Key_Escape : Qt::Key_Return);
}

void Monkey::resize() {
    const QSize size(300 + below(1400), 200 + below(900));
    note("resize " + std::to_string(size.width()) + "x" + std::to_string(size.height()));
    main.resize(size);
}

void Monkey::wait() {
    note("wait");
    static_cast<void>(QTest::qWaitFor([this] { return !main.loader().busy(); }, 2000));
    QTest::qWait(below(30));
}

}  // namespace et::test
