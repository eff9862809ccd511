#pragma once

#include "inspector/graph/box_info.h"

#include <QWidget>

class QTextBrowser;

namespace et::visualizers {

/// Details of a graph box, to read and to copy.
class GraphDetailsPane : public QWidget {
    Q_OBJECT

  public:
    explicit GraphDetailsPane(QWidget* parent = nullptr);

    void show(const inspector::BoxInfo& info);
    /// Shows how to fill it.
    void showHint(const QString& text);
    [[nodiscard]] QString plainText() const;

  private:
    QTextBrowser* text;
};

}  // namespace et::visualizers
