#pragma once

#include <QString>

class QAbstractItemView;
class QComboBox;
class QLabel;
class QModelIndex;
class QPoint;
class QTextBrowser;
class QWidget;

namespace et::test {

/// Opens the list of a box and accepts an item with Enter. Also reports the current item again.
void chooseItem(QComboBox& box, int item);

/// Finds a link with the mouse and clicks it. Returns false if the widget has no visible link to `target`.
[[nodiscard]] bool clickLink(QLabel& label, const QString& target);
[[nodiscard]] bool clickLink(QTextBrowser& browser, const QString& target);
/// Clicks the first link to `target` in a label inside `parent`.
[[nodiscard]] bool clickLinkIn(QWidget& parent, const QString& target);

/// Clicks the middle of a row's first cell, after scrolling to it.
void clickRow(QAbstractItemView& view, const QModelIndex& row);

/// Requests the context menu at a point of the widget, as the right mouse button does.
void openContextMenu(QWidget& widget, const QPoint& place);

}  // namespace et::test
