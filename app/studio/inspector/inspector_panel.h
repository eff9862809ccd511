#pragma once

#include "app/studio/background.h"
#include "app/studio/inspector/choice_extras.h"
#include "app/studio/inspector/model_summary.h"
#include "app/studio/panel.h"
#include "visualizers/toolkit/description.h"

#include <string_view>

class QTextBrowser;
class QUrl;

namespace et::visualizers {
class HistogramWidget;
class Skeleton;
}  // namespace et::visualizers

namespace et::studio {

/// Panel with all details of the selection, whichever view it was made in: times with their distribution,
/// tensors, memory, error, source, findings and notes; each heading links to the panel with more details. For
/// several events, their totals.
class InspectorPanel : public Panel {
    Q_OBJECT

  public:
    InspectorPanel(const PanelContext& context, QWidget* parent);

    [[nodiscard]] bool hasContent() const override;
    void arrangedFor(const Perspective& perspective) override;
    /// The displayed text.
    [[nodiscard]] QString plainText() const;
    [[nodiscard]] bool busy() const { return reading.running() || extras.busy(); }

  protected:
    void changeEvent(QEvent* event) override;

  private:
    void readSession();
    void showChoice();
    void display();
    void setText(const QString& html, const std::vector<std::pair<QUrl, QImage>>& pictures, bool goesOn);
    [[nodiscard]] ChoiceExtras::Wanted wanted() const;
    void follow(const QUrl& link);
    [[nodiscard]] visualizers::Description describe() const;

    const visualizers::OpenSession& opened;
    visualizers::Selection& chosen;
    visualizers::Results& results;
    visualizers::NoteModel& notes;
    std::function<void(std::string_view)> enterPanel;
    Background<std::shared_ptr<const ModelSummary>> reading;
    std::shared_ptr<const ModelSummary> facts;  ///< null until computed
    ChoiceExtras extras;
    visualizers::HistogramWidget* distribution;
    QTextBrowser* text;
    bool aboutMemory = false;         ///< without a selection, shows tensors instead of times
    QString shownTitle;               ///< of the displayed text
    QString shownText;                ///< its HTML and the names of its pictures
    visualizers::Skeleton* skeleton;  ///< placeholder until there is content
};

}  // namespace et::studio
