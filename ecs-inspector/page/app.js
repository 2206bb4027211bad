// Shows what the query `world` answers.
const answer = await fetch(`/api/world${location.search}`);
document.getElementById("world").textContent = JSON.stringify(await answer.json(), null, 2);
