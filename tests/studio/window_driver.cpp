#include "tests/studio/window_driver.h"

#include "app/studio/compare/compare_panel.h"
#include "app/studio/history.h"
#include "app/studio/notice_bar.h"
#include "app/studio/panel_area.h"
#include "app/studio/verify/verify_panel.h"
#include "tests/studio/settled.h"
#include "visualizers/events/event_view.h"

#include <QAction>
#include <QDockWidget>
#include <QDropEvent>
#include <QHeaderView>
#include <QLineEdit>
#include <QMimeData>
#include <QTest>
#include <QTextBrowser>
#include <QTreeView>

#include <gtest/gtest.h>

namespace et::test {

using visualizers::EventModel;

WindowDriver::WindowDriver()
    : settings(folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat), main(settings) {
    useProgram(ET_INSPECT_PROGRAM);
    main.show();
    main.activateWindow();
    EXPECT_TRUE(QTest::qWaitForWindowActive(&main));
}

void WindowDriver::useProgram(const std::filesystem::path& program) {
    settings.setValue(QStringLiteral("run/program"), QString::fromStdString(program.string()));
}

visualizers::EventView& WindowDriver::events() {
    return *main.findChild<visualizers::EventView*>();
}

QTreeView& WindowDriver::table() {
    return events().table();
}

studio::VerifyPanel& WindowDriver::tests() {
    return *main.findChild<studio::VerifyPanel*>();
}

studio::ComparePanel& WindowDriver::compare() {
    return *main.findChild<studio::ComparePanel*>();
}

void WindowDriver::waitForComparison() {
    EXPECT_TRUE(QTest::qWaitFor([this] { return !compare().busy(); }, 60'000)) << "comparing does not end";
    QTest::qWait(0);
}

void WindowDriver::rest() {
    EXPECT_TRUE(settle(main));
    main.findChild<studio::History*>()->note();
}

bool WindowDriver::onScreen(const QWidget& widget) {
    // Qt reports a dock in a hidden tab as visible, but its position is outside of the window.
    const QWidget* const window = widget.window();
    const QRect place(widget.mapTo(window, QPoint(0, 0)), widget.size());
    return widget.isVisible() && window->rect().intersects(place);
}

bool WindowDriver::waitForText(const std::function<QString()>& shown, const QString& text) {
    return QTest::qWaitFor([&] { return shown().contains(text); }, 30'000);
}

void WindowDriver::enterPanel(const QString& title) {
    for (const studio::PanelArea::Entry& entry : main.area().entries()) {
        if (entry.dock->windowTitle() == title) {
            main.findChild<QAction*>(QStringLiteral("panel/") + QLatin1String(entry.info->id))->trigger();
            main.area().setMaximized(true);
            QTest::qWait(0);
            return;
        }
    }
    ADD_FAILURE() << "no panel " << title.toStdString();
}

void WindowDriver::enterPerspective(const char* id) {
    main.findChild<QAction*>(QStringLiteral("perspective/") + QLatin1String(id))->trigger();
    QTest::qWait(0);
}

void WindowDriver::waitForTests() {
    EXPECT_TRUE(QTest::qWaitFor([this] { return !tests().running(); }, 60'000)) << "tests do not end";
}

void WindowDriver::open(const std::vector<std::filesystem::path>& paths) {
    main.open(paths);
    waitUntilIdle();
}

void WindowDriver::drop(const std::vector<std::filesystem::path>& paths) {
    dropOn(main, paths);
    waitUntilIdle();
}

void WindowDriver::dropOn(QWidget& target, const std::vector<std::filesystem::path>& paths) {
    QMimeData data;
    QList<QUrl> urls;
    for (const std::filesystem::path& path : paths) {
        urls.append(QUrl::fromLocalFile(QString::fromStdString(path.string())));
    }
    data.setUrls(urls);
    QDragEnterEvent enter(QPoint(50, 50), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&target, &enter);
    EXPECT_TRUE(enter.isAccepted());
    QDropEvent event(QPointF(50, 50), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&target, &event);
}

void WindowDriver::waitUntilIdle() {
    EXPECT_TRUE(QTest::qWaitFor([this] { return !main.loader().busy(); }, 30'000)) << "loading does not end";
    QTest::qWait(0);
}

void WindowDriver::press(Qt::Key key, Qt::KeyboardModifiers modifiers) {
    QWidget* const focus = main.focusWidget();
    QTest::keyClick(focus ? focus : &main, key, modifiers);
}

void WindowDriver::typeFilter(const QString& text) {
    enterPanel(QStringLiteral("Events"));
    press(Qt::Key_F, Qt::ControlModifier);
    EXPECT_TRUE(events().filterBox().hasFocus());
    press(Qt::Key_A, Qt::ControlModifier);
    press(Qt::Key_Delete);
    QTest::keyClicks(&events().filterBox(), text);
}

void WindowDriver::clickHeader(EventModel::Column column) {
    const QHeaderView* const header = table().header();
    table().scrollTo(table().indexAt({0, 0}).siblingAtColumn(column));
    const QPoint middle(header->sectionViewportPosition(column) + header->sectionSize(column) / 2,
                        header->height() / 2);
    QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, middle);
}

void WindowDriver::clickEvent(int place) {
    const QModelIndex row = eventRows().at(place);
    table().scrollTo(row);
    QTest::mouseClick(table().viewport(), Qt::LeftButton, {}, table().visualRect(row).center());
}

void WindowDriver::trigger(const QString& text) {
    QAction* found = nullptr;
    for (QAction* const action : main.findChildren<QAction*>()) {
        const QString known = action->text().remove(u'&');
        if (known == text || (found == nullptr && known.contains(text))) {
            found = action;
        }
        if (known == text) {
            break;
        }
    }
    if (found != nullptr) {
        found->trigger();
        return;
    }
    ADD_FAILURE() << "no action " << text.toStdString();
}

QList<int> WindowDriver::visibleColumns() {
    QList<int> columns;
    for (int visual = 0; visual < EventModel::columnTotal(); ++visual) {
        const int column = table().header()->logicalIndex(visual);
        if (!table().isColumnHidden(column)) {
            columns.append(column);
        }
    }
    return columns;
}

QString WindowDriver::columnIds() {
    QStringList ids;
    for (const int column : visibleColumns()) {
        const std::string_view id = EventModel::infoOf(static_cast<EventModel::Column>(column)).id;
        ids.append(QString::fromUtf8(id.data(), static_cast<qsizetype>(id.size())));
    }
    return ids.join(u',');
}

QModelIndexList WindowDriver::eventRows() {
    QModelIndexList rows;
    const QAbstractItemModel* const model = table().model();
    for (int top = 0; top < model->rowCount(); ++top) {
        const QModelIndex index = model->index(top, 0);
        if (!index.data(EventModel::IsBlockRole).toBool()) {
            rows.append(index);
            continue;
        }
        EXPECT_TRUE(table().isExpanded(index));
        for (int row = 0; row < model->rowCount(index); ++row) {
            rows.append(model->index(row, 0, index));
        }
    }
    return rows;
}

TextTable WindowDriver::shown() {
    const QList<int> columns = visibleColumns();
    TextTable texts(1);
    for (const int column : columns) {
        texts[0].append(
            table().model()->headerData(column, Qt::Horizontal, EventModel::ReportRole).toString());
    }
    for (const QModelIndex& row : eventRows()) {
        QStringList& cells = texts.emplaceBack();
        for (const int column : columns) {
            cells.append(row.siblingAtColumn(column).data(EventModel::ReportRole).toString());
        }
    }
    return texts;
}

QString WindowDriver::details() {
    return main.findChild<QTextBrowser*>(QStringLiteral("details"))->toPlainText();
}

QStringList WindowDriver::errors() {
    return main.notices().notices(studio::NoticeBar::Kind::Error);
}

QStringList WindowDriver::warnings() {
    return main.notices().notices(studio::NoticeBar::Kind::Warning);
}

}  // namespace et::test
