#pragma once

#include "inspector/graph/node_facts.h"

#include <QWidget>

class QTextBrowser;

namespace et::visualizers {

/// All that is known of a box of a graph, to read and to copy.
class GraphFactsPane : public QWidget {
    Q_OBJECT

  public:
    explicit GraphFactsPane(QWidget* parent = nullptr);

    void show(const inspector::BoxFacts& facts);
    /// What to do to fill it.
    void showHint(const QString& text);
    [[nodiscard]] QString plainText() const;

  private:
    QTextBrowser* text;
};

}  // namespace et::visualizers
