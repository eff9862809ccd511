#include "tests/studio/person.h"

#include "tests/studio/screen_text.h"

#include <QApplication>
#include <QHash>
#include <QStringList>
#include <QTest>

#include <gtest/gtest.h>

#include <algorithm>

namespace et::test {

QWidget& Person::front() {
    QWidget* const dialog = QApplication::activeModalWidget();
    return dialog != nullptr ? *dialog : static_cast<QWidget&>(driver.window());
}

/// Returns all text on screen. Lines of a widget are kept together, so that text does not run across columns.
QString Person::allText() {
    QHash<const QWidget*, QString> byWidget;
    for (const SeenText& each : textsOnScreen(front())) {
        QString& text = byWidget[front().childAt(each.place.center())];
        text += text.isEmpty() || text.endsWith(u' ') ? each.text : u' ' + each.text;
    }
    return QStringList(byWidget.values()).join(u'\n');
}

std::string Person::screen() {
    QStringList all;
    for (const SeenText& each : textsOnScreen(front())) {
        all.append(each.text);
    }
    return all.join(u'\n').toStdString();
}

bool Person::sees(const QString& text) {
    constexpr int patienceMs = 30'000;
    return QTest::qWaitFor([&] { return allText().contains(text); }, patienceMs);
}

void Person::press(Qt::Key key, Qt::KeyboardModifiers modifiers) {
    ++count;
    QWidget* const focus = QApplication::focusWidget();
    QTest::keyClick(focus != nullptr ? focus : &front(), key, modifiers);
    QTest::qWait(0);
}

void Person::type(const QString& text) {
    ++count;
    QWidget* const focus = QApplication::focusWidget();
    ASSERT_NE(focus, nullptr) << "there is no place to type in";
    QTest::keyClicks(focus, text);
}

void Person::click(const QString& text, const QWidget* where) {
    clickOn(text, where, false);
}

void Person::click(const QStringList& way, const QWidget& where) {
    QWidget& window = front();
    const QRect part(where.mapTo(&window, QPoint(0, 0)), where.size());
    const QList<SeenText> seen = textsOnScreen(window);
    int below = part.top();
    for (qsizetype at = 0; at < way.size(); ++at) {
        const QString& name = way[at];
        const auto found = std::ranges::find_if(seen, [&](const SeenText& each) {
            return each.text == name && part.contains(each.place.center()) && each.place.top() > below;
        });
        below = found == seen.end() ? below : found->place.top();
        if (found != seen.end() && at + 1 == way.size()) {
            clickAt(found->place.center(), false);
            return;
        }
    }
    ADD_FAILURE() << "nobody can see '" << way.join(QStringLiteral(" > ")).toStdString() << "' among\n"
                  << screen();
}

void Person::doubleClick(const QString& text, const QWidget* where) {
    clickOn(text, where, true);
}

void Person::clickOn(const QString& text, const QWidget* where, bool twice) {
    QWidget& window = front();
    const QRect part =
        where == nullptr ? window.rect() : QRect(where->mapTo(&window, QPoint(0, 0)), where->size());
    QList<SeenText> seen = textsOnScreen(window);
    seen.removeIf([&](const SeenText& each) {
        return !each.text.contains(text) || !part.contains(each.place.center());
    });
    if (seen.isEmpty()) {
        ADD_FAILURE() << "nobody can see '" << text.toStdString() << "' among\n" << screen();
        return;
    }
    // Prefers an exact match to the first match.
    const auto same = std::ranges::find(seen, text, &SeenText::text);
    const QPoint place = (same == seen.end() ? seen.begin() : same)->place.center();
    clickAt(place, twice);
}

void Person::clickAt(const QPoint& place, bool twice) {
    ++count;
    QWidget& window = front();
    QWidget* const hit = window.childAt(place);
    ASSERT_NE(hit, nullptr);
    if (twice) {
        QTest::mouseDClick(hit, Qt::LeftButton, {}, hit->mapFrom(&window, place));
    } else {
        QTest::mouseClick(hit, Qt::LeftButton, {}, hit->mapFrom(&window, place));
    }
    QTest::qWait(0);
}

}  // namespace et::test
