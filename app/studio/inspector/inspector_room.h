#pragma once

#include "app/studio/background.h"
#include "app/studio/inspector/choice_extras.h"
#include "app/studio/inspector/model_facts.h"
#include "app/studio/room.h"
#include "visualizers/toolkit/description.h"

#include <string_view>

class QTextBrowser;
class QUrl;

namespace et::visualizers {
class HistogramWidget;
class Skeleton;
}  // namespace et::visualizers

namespace et::studio {

/// All that is known of what is chosen, whichever view it was chosen in: its times with their distribution,
/// tensors, memory, error, source, findings and notes, each heading a link to the room that shows more. Of
/// several events, what they come to.
class InspectorRoom : public Room {
    Q_OBJECT

  public:
    InspectorRoom(const RoomContext& context, QWidget* parent);

    [[nodiscard]] bool hasContent() const override;
    /// The text on screen.
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
    std::function<void(std::string_view)> enterRoom;
    Background<std::shared_ptr<const ModelFacts>> reading;
    std::shared_ptr<const ModelFacts> facts;  ///< null: not worked out yet
    ChoiceExtras extras;
    visualizers::HistogramWidget* distribution;
    QTextBrowser* text;
    QString shownTitle;               ///< of what is on screen
    QString shownText;                ///< its HTML, and which pictures are in it
    visualizers::Skeleton* skeleton;  ///< until there is something to show
};

}  // namespace et::studio
