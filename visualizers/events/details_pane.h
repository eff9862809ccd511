#pragma once

#include <QWidget>

class QTextBrowser;

namespace et::visualizers {

class HistogramWidget;
class OpenSession;
class Selection;

/// All that is known of the chosen event: texts and the distribution of its samples.
class DetailsPane : public QWidget {
    Q_OBJECT

  public:
    /// `selection` must outlive the pane.
    DetailsPane(const OpenSession& session, const Selection& selection, QWidget* parent = nullptr);

    /// The text on screen.
    [[nodiscard]] QString plainText() const;

  private:
    void showCurrent();

    const OpenSession& opened;
    const Selection& chosen;
    HistogramWidget* distribution;
    QTextBrowser* text;
};

}  // namespace et::visualizers
