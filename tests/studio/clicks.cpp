#include "tests/studio/clicks.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QLabel>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QTextBrowser>

namespace et::test {

namespace {

constexpr int searchStep = 4;  // pixels; less than the height and width of any letter pair

}  // namespace

void chooseItem(QComboBox& box, int item) {
    box.setFocus();
    box.showPopup();
    QAbstractItemView& list = *box.view();
    list.setCurrentIndex(box.model()->index(item, box.modelColumn(), box.rootModelIndex()));
    QTest::keyClick(&list, Qt::Key_Return);
    box.window()->activateWindow();  // the offscreen platform leaves the closed list active
    static_cast<void>(QTest::qWaitForWindowActive(box.window()));
}

bool clickLink(QLabel& label, const QString& target) {
    const QSignalSpy hovered(&label, &QLabel::linkHovered);
    for (int y = searchStep; y < label.height(); y += searchStep) {
        for (int x = searchStep; x < label.width(); x += searchStep) {
            QTest::mouseMove(&label, QPoint(x, y));
            if (!hovered.isEmpty() && hovered.last().first().toString() == target) {
                QTest::mouseClick(&label, Qt::LeftButton, {}, QPoint(x, y));
                return true;
            }
        }
    }
    return false;
}

bool clickLink(QTextBrowser& browser, const QString& target) {
    QWidget& page = *browser.viewport();
    QScrollBar& bar = *browser.verticalScrollBar();
    for (int top = bar.minimum(); top <= bar.maximum(); top += page.height()) {
        bar.setValue(top);
        for (int y = searchStep; y < page.height(); y += searchStep) {
            for (int x = searchStep; x < page.width(); x += searchStep) {
                if (browser.anchorAt(QPoint(x, y)) == target) {
                    QTest::mouseClick(&page, Qt::LeftButton, {}, QPoint(x, y));
                    return true;
                }
            }
        }
    }
    return false;
}

bool clickLinkIn(QWidget& parent, const QString& target) {
    for (QLabel* const label : parent.findChildren<QLabel*>()) {
        if (label->text().contains(QStringLiteral("href=\"%1\"").arg(target))) {
            return clickLink(*label, target);
        }
    }
    return false;
}

void clickRow(QAbstractItemView& view, const QModelIndex& row) {
    view.scrollTo(row);
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.visualRect(row).center());
}

void openContextMenu(QWidget& widget, const QPoint& place) {
    QContextMenuEvent event(QContextMenuEvent::Mouse, place, widget.mapToGlobal(place));
    QApplication::sendEvent(&widget, &event);
}

}  // namespace et::test
